"""Find a C++ compiler and run it in a box, bounded in time, memory and output."""

from __future__ import annotations

import functools
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge import reach
from judge.boxed import Completed, run_boxed
from judge.cache import digest
from judge.confine import MIB
from judge.model import BackendMissing, JudgeError, UserError

_MEMORY_BYTES = 3 << 30
_OUTPUT_BYTES = 1 * MIB
_OLDEST = {"g++": 12, "clang++": 14}
_NAMES = (
    *("g++", "clang++"),
    *(f"g++-{major}" for major in range(16, 11, -1)),
    *(f"clang++-{major}" for major in range(22, 13, -1)),
)
_INSTALL = "install g++ 12 or newer (apt install g++), or run pip install ziglang"


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler.

    command: how it is called
    family:  `g++` or `clang++`, which decides about flags and the form of precompiled headers
    version: for people: `g++ 12.2.0`
    key:     differs where its output may: version, program, processor
    """

    command: tuple[str, ...]
    family: str
    version: str
    key: str

    @property
    def major(self) -> int:
        """The major version."""
        return int(self.version.split()[-1].split(".")[0])


@functools.cache
def find_compiler() -> Compiler:
    """$CXX if it is set, else the first of g++, clang++ and ziglang that is new enough.

    Raises UserError if $CXX is no such compiler, BackendMissing if there is none.
    """
    wanted = os.environ.get("CXX", "").strip()
    if wanted:
        command = shlex.split(wanted)
        found = _identify(command)
        if found is None:
            raise UserError(f"CXX={wanted}: not a C++ compiler that runs; unset CXX or correct it")
        if found.major < _OLDEST[found.family]:
            raise UserError(f"CXX={wanted}: got {found.version}, expected {_expected()}")
        return found
    old: list[str] = []
    for command in _candidates():
        found = _identify(command)
        if found and found.major >= _OLDEST[found.family]:
            return found
        if found:
            old.append(found.version)
    got = f"only {', '.join(old)}" if old else "none"
    raise BackendMissing(f"C++ compiler: got {got}, expected {_expected()}; {_INSTALL}")


def _expected() -> str:
    return " or ".join(f"{family} {major} or newer" for family, major in _OLDEST.items())


def _candidates() -> Iterator[list[str]]:
    for name in _NAMES:
        path = shutil.which(name)
        if path:
            yield [path]
    if importlib.util.find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "c++"]


def _identify(command: Sequence[str]) -> Compiler | None:
    """Ask a compiler who it is; None if it does not answer like one we know."""
    try:
        answer = subprocess.run(
            [*command, "--version"], capture_output=True, timeout=20, env=_environment(Path("/tmp"))
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = answer.stdout.decode("utf-8", "replace")
    clang = re.search(r"clang version (\d+(?:\.\d+)*)", text)
    gcc = re.search(r"\) (\d+\.\d+(?:\.\d+)?)", text.partition("\n")[0])
    match = clang or gcc
    if answer.returncode or not match:
        return None
    family = "clang++" if clang else "g++"
    key = digest(*command, text, platform.machine(), _processor())
    return Compiler(tuple(command), family, f"{family} {match[1]}", key)


def _processor() -> bytes:
    """What tells processors apart that -march=native builds for."""
    try:
        with open("/proc/cpuinfo", "rb") as file:
            head = file.read(8192).partition(b"\n\n")[0]
    except OSError:
        return b""
    stable = (b"model name", b"flags", b"Features", b"CPU part")
    return b"\n".join(line for line in head.splitlines() if line.startswith(stable))


def run(
    argv: Sequence[str],
    folder: Path,
    seconds: float,
    reads: Sequence[Path] = (),
    then: Sequence[str] = (),
) -> Completed:
    """Run a compiler to its end; it may write in `folder` and below only.

    reads: what it reads beside that folder, the system's files and its own installation
    then:  a command that follows in the same box where this one succeeds: a box takes 0.03 s
    Output and exit status are the caller's to judge.  Raises JudgeError if it does not start.
    """
    program = shutil.which(argv[0])
    if program is None:
        raise JudgeError(f"{argv[0]}: not found")
    limits = (folder, seconds, _MEMORY_BYTES, _OUTPUT_BYTES)
    reads, writes = (*reads, *_installations(program)), _caches(argv)
    if then:
        argv = ["/bin/sh", "-c", f"{shlex.join(argv)} && exec {shlex.join(then)}"]
    return run_boxed(argv, *limits, _environment(folder), reads=reads, writes=writes)


def _installations(program: str) -> Iterator[Path]:
    """What a compiler was installed with, and the host compiler that nvcc calls."""
    hidden = (reach.ROOT, Path.home())
    for name in (program, *filter(None, map(shutil.which, ("g++", "gcc")))):
        yield from reach.prefix(Path(name), hidden)
    yield from reach.interpreter()


def _caches(argv: Sequence[str]) -> tuple[Path, ...]:
    """Folders a compiler keeps things in: zig's, which builds its C++ library there, once."""
    if "ziglang" not in argv:
        return ()
    folder = Path(os.environ.get("ZIG_GLOBAL_CACHE_DIR") or Path.home() / ".cache" / "zig")
    folder.mkdir(parents=True, exist_ok=True)
    return (folder,)


def _environment(folder: Path) -> dict[str, str]:
    """Messages in plain English, temporary files in `folder`."""
    kept = ("PATH", "HOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "CUDA_HOME", "ZIG_GLOBAL_CACHE_DIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    # ccache keeps what it made where a boxed compiler may not write.
    return {**environment, "LC_ALL": "C", "TMPDIR": str(folder), "CCACHE_DISABLE": "1"}
