"""The command line that puts a program into a box: resource limits, and bubblewrap where it is.

    sh -c 'ulimit ...; exec "$@"' sh PROGRAM ...                        everywhere
    bwrap --unshare-net --unshare-pid ... -- sh -c ...                  where bubblewrap works

The limits are set by a shell that then becomes the program, because code between fork and exec in
a process with threads may deadlock.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge import cage

MIB = 1 << 20


@dataclass(frozen=True)
class Bounds:
    """What a boxed program and everything it starts may take.

    memory_bytes:  resident memory, watched every few hundredths of a second
    data_bytes:    private writable memory it may ask for (RLIMIT_DATA); 0: four times memory_bytes.
                   Never RLIMIT_AS: CUDA and the emulator reserve far more address space than they
                   use
    output_bytes:  of stdout and stderr together are kept; the rest is read and dropped
    processes:     at once, threads not counted
    file_bytes:    of one file it writes
    open_files:    descriptors
    """

    memory_bytes: int
    output_bytes: int = 64 << 10
    data_bytes: int = 0
    processes: int = 64
    file_bytes: int = 256 * MIB
    open_files: int = 256


def command(
    argv: Sequence[str],
    cwd: Path,
    bounds: Bounds,
    readable: Sequence[Path] = (),
    devices: Sequence[Path] = (),
) -> list[str]:
    """`argv` confined: `cwd` is writable; `readable` are files or folders needed under /tmp,
    `devices` are files of /dev."""
    data_kib = (bounds.data_bytes or 4 * bounds.memory_bytes) // 1024
    limits = (
        f"ulimit -c 0; ulimit -d {data_kib}; ulimit -f {bounds.file_bytes // 512}; "
        f'ulimit -n {bounds.open_files}; exec "$@"'
    )
    shell = ["/bin/sh", "-c", limits, "sh", *argv]
    return [*_wrap(cwd, readable, devices), *shell] if bubblewrap() else shell


@functools.cache
def bubblewrap() -> str:
    """The path of a bubblewrap that works here, or an empty string."""
    path = shutil.which("bwrap")
    if path is None:
        return ""
    try:
        trial = [path, *_NAMESPACES, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        done = subprocess.run([*trial, "--", "/bin/sh", "-c", ":"], capture_output=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return path if done.returncode == 0 else ""


def enforced() -> tuple[str, ...]:
    """What holds for compilers and workers on this machine and what does not, a sentence each."""
    held = layers()
    told = [
        "enforced: wall-clock time, memory and number of processes (both sampled), file size, "
        "open files and captured output; all that a compiler or worker starts is killed with it",
    ]
    told += [
        f"{'enforced' if name in held else 'NOT enforced, the system does not offer it'}: {what}"
        for name, what in _LAYERS.items()
    ]
    if bubblewrap():
        told.append("enforced by bubblewrap: no network, read-only system, own process ids")
    else:
        why = "does not work here" if shutil.which("bwrap") else "is not installed"
        told.append(
            f"NOT enforced, bubblewrap {why}: a compiler has the network and may write files"
        )
    told.append("NOT enforced: files that you may read, a submission may read too")
    return tuple(told)


_LAYERS = {
    cage.PRIVILEGES: "a worker has no capabilities, except to read, and gains no privileges",
    cage.FILES: "a worker writes no file and reaches no memory of other processes (Landlock)",
    cage.CALLS: "a worker starts no process, opens no socket, signals nobody (seccomp)",
}


@functools.cache
def layers() -> tuple[str, ...]:
    """The layers of judge/cage.py that hold here, tried in a process that is then gone."""
    trial = [sys.executable, "-I", "-S", str(Path(cage.__file__))]
    done = subprocess.run(trial, capture_output=True, text=True, check=False, timeout=10)
    return tuple(done.stdout.split())


_NAMESPACES = (
    *("--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"),
    *("--die-with-parent", "--new-session"),
)


def _wrap(cwd: Path, readable: Sequence[Path], devices: Sequence[Path] = ()) -> list[str]:
    """The bubblewrap half: the system read-only, /tmp empty but for what is named."""
    place = str(cwd.resolve())
    shown: list[str] = []
    for path in readable:
        real = os.path.realpath(path)
        shown += ["--ro-bind", real, real]
    for device in devices:
        shown += ["--dev-bind-try", str(device), str(device)]
    return [
        *(bubblewrap(), *_NAMESPACES, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
        *("--tmpfs", "/tmp", "--tmpfs", "/dev/shm", *shown),
        *("--bind", place, place, "--chdir", place, "--"),
    ]
