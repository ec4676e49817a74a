"""Which files a boxed program may touch: what every program on this system needs, and its own.

Landlock and bubblewrap are given the same lists, so that either alone hides the rest: people's own
files, problems with their seeds and answers, other builds, what is recorded of runs.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"),
    *("/nix/store", "/gnu/store", "/run/current-system"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)
_OF_A_PROCESS = ("/proc/self", "/dev/urandom", "/dev/random", "/dev/zero")
_OF_A_GPU = ("/proc/driver/nvidia", "/proc/devices", "/sys")
_NULL = "/dev/null"


@dataclass(frozen=True)
class Reach:
    """What a boxed program may open beside what the system needs.

    reads:   files and folders, all below included
    writes:  folders it works in, beside the one it is started in if `programs`
    devices: files of /dev
    programs: it may start programs: a compiler.  Else it is a worker, which cages itself
    """

    reads: tuple[Path, ...] = ()
    writes: tuple[Path, ...] = ()
    devices: tuple[Path, ...] = ()
    programs: bool = False

    def cage(self, cwd: Path | None = None) -> Mapping[str, Any]:
        """The arguments of cage.enter.  cwd: where a compiler works"""
        own = () if self.programs else _OF_A_PROCESS
        place = (cwd,) if self.programs and cwd is not None else ()
        return {
            "reads": [*self.shown(), *own],
            "writes": [str(path) for path in (*place, *self.writes)],
            "devices": [_NULL, *map(str, self.devices)],
            "programs": self.programs,
        }

    def shown(self) -> list[str]:
        """Every path it may read, as it is named and as it is."""
        gpu = _OF_A_GPU if self.devices else ()
        paths = [*system(), *gpu, *map(str, self.reads)]
        return list(dict.fromkeys(one for path in paths for one in (path, os.path.realpath(path))))


@functools.cache
def system() -> tuple[str, ...]:
    """What every program needs of this system, never the judge's own folder with it."""
    return tuple(one for path in _SYSTEM for one in without(path, (ROOT,)))


def interpreter() -> tuple[Path, ...]:
    """What Python needs of its own: the environment's folder, and that of what it was made from."""
    found = (Path(sys.prefix), Path(sys.base_prefix))
    return tuple(Path(one) for path in found for one in without(str(path), (ROOT,)))


def packages() -> tuple[Path, ...]:
    """Where else Python's modules are found (PYTHONPATH), the folder of the call left out."""
    folders = [Path(one).resolve() for one in sys.path if one and Path(one).is_dir()]
    return tuple(one for one in folders if not ROOT.is_relative_to(one))


def prefix(program: Path, hidden: Iterable[Path]) -> tuple[Path, ...]:
    """The folders of an installed program: above its `bin`, but never what holds a hidden one."""
    home = program.resolve().parent
    top = home.parent if home.name == "bin" else home
    inside = any(path.resolve().is_relative_to(top) for path in hidden)
    return (home,) if inside else (top,)


def without(path: str, hidden: Iterable[Path]) -> Iterator[str]:
    """The path, or, where something hidden lies below it, all that is beside the way there."""
    real = Path(path).resolve()
    below = [one for one in hidden if one.is_relative_to(real)]
    if not below:
        yield path
        return
    for child in sorted(real.iterdir()) if real.is_dir() else ():
        if child not in below:
            yield from without(str(child), below)
