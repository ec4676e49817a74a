"""The command line that puts a program into a box: limits, bubblewrap where it is, and the cage.

    sh -c 'ulimit ...; exec "$@"' sh PROGRAM ...          a worker, which cages itself when it is up
    sh -c 'ulimit ...; exec "$@"' sh CAGE PROGRAM ...     a compiler (judge/cage.py)
    sh -c '...' sh bwrap --unshare-net ... -- [CAGE] PROGRAM ...           where bubblewrap works

The limits are set by a shell that then becomes the program, because code between fork and exec in
a process with threads may deadlock.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge import cage
from judge.reach import ROOT, Reach, interpreter

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
    cpu_seconds:   of processor time, for each process of it; 0: the wall clock is enough
    """

    memory_bytes: int
    output_bytes: int = 64 << 10
    data_bytes: int = 0
    processes: int = 64
    file_bytes: int = 256 * MIB
    open_files: int = 256
    cpu_seconds: int = 0


def command(
    argv: Sequence[str], cwd: Path, bounds: Bounds, reach: Reach, group: Path | None = None
) -> list[str]:
    """`argv` confined.  group: the control group it joins"""
    data_kib = (bounds.data_bytes or 4 * bounds.memory_bytes) // 1024
    limits = (
        f"ulimit -c 0; ulimit -d {data_kib}; ulimit -f {bounds.file_bytes // 512}; "
        f"ulimit -n {bounds.open_files}; "
    )
    limits += f"ulimit -t {bounds.cpu_seconds}; " if bounds.cpu_seconds else ""
    if group is not None:
        limits = f'echo 0 >"$0"/cgroup.procs || exit {cage.BROKEN}; {limits}'
    if reach.programs:
        argv = [*caging(reach, cwd), shutil.which(argv[0]) or argv[0], *argv[1:]]
    wrapped = _wrap(cwd, reach) if wraps(reach) else []
    return [
        *("/bin/sh", "-c", limits + 'exec "$@"', str(group or "sh")),
        *(*wrapped, *argv),
    ]


def caging(reach: Reach, cwd: Path) -> list[str]:
    """The command that becomes a program, caged."""
    given = reach.cage(cwd.resolve())
    # A path of several lines would be several paths: who named it so goes without it.
    lists = (
        "\n".join(path for path in given[name] if path.splitlines() == [path])
        for name in ("reads", "writes", "devices")
    )
    return [sys.executable, "-I", "-S", "-c", cage.LAUNCH, str(ROOT), *lists]


@functools.cache
def bubblewrap() -> str:
    """The path of a bubblewrap that works here, or an empty string."""
    path = shutil.which("bwrap")
    if path is None:
        return ""
    try:
        trial = [path, *_ALONE, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        done = subprocess.run([*trial, "--", "/bin/sh", "-c", ":"], capture_output=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return path if done.returncode == 0 else ""


@functools.cache
def layers() -> tuple[str, ...]:
    """The layers of judge/cage.py that hold here, tried in a process that is then gone."""
    done = subprocess.run(
        caging(Reach(), Path("/")), capture_output=True, text=True, check=False, timeout=10
    )
    return tuple(done.stdout.split())


def wraps(reach: Reach) -> bool:
    """Whether bubblewrap is put around a program.

    A worker on a GPU gets it only where the kernel's own layers do not do the same: among process
    ids of its own CUDA may not map the judge's memory, and takes a slower way.
    """
    needed = not reach.devices or not {cage.FILES, cage.CALLS} <= set(layers())
    return bool(bubblewrap()) and needed


_ALONE = (
    *("--unshare-net", "--unshare-uts", "--unshare-pid", "--unshare-ipc"),
    *("--die-with-parent", "--new-session"),
)


def _wrap(cwd: Path, reach: Reach) -> list[str]:
    """The bubblewrap half: an empty root, in it what is named, read-only, and the folder `cwd`.

    /proc is writable, as CUDA asks for; it shows no process but those in here.
    """
    place = str(cwd.resolve())
    # What starts it, itself, is no secret either.
    paths = [*reach.shown(), str(ROOT / "judge"), *map(str, interpreter())]
    paths = [path for path in paths if not path.startswith("/proc/")]
    shown = [part for path in paths for part in ("--ro-bind-try", path, path)]
    shown += [part for path in map(str, reach.writes) for part in ("--bind-try", path, path)]
    for device in reach.devices:
        shown += ["--dev-bind-try", str(device), str(device)]
    return [
        *(bubblewrap(), *_ALONE, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", *shown),
        *("--bind" if reach.programs else "--ro-bind", place, place, "--chdir", place, "--"),
    ]
