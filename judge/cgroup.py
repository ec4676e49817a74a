"""Control groups (version 2): hard bounds of memory and tasks for a box, and its end in one stroke.

They are used where the judge may make groups: in a subtree that was delegated to it

    systemd-run --user --scope -p Delegate=yes .venv/bin/python -m judge run tiled.cu
    JUDGE_CGROUP=/sys/fs/cgroup/mine     a folder with memory and pids in cgroup.subtree_control

and nowhere else, because groups belong to whoever manages the system.  Elsewhere the judge samples
memory and counts processes itself (judge/box.py).

Source: Linux Documentation/admin-guide/cgroup-v2.rst; systemd, CGROUP_DELEGATION.md.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from judge.model import UserError

_NEEDED = frozenset(("memory", "pids"))
_CPU_WEIGHT = 50
"""Half of the judge's own, whose clock runs while it waits."""
_INSIDE = "judge"
"""The child of a delegated group that its processes are moved to."""
_numbers = itertools.count()


class Group:
    """The group of one box: bounded before its first process, killed and removed at its end."""

    def __init__(self, parent: Path, memory_bytes: int, tasks: int) -> None:
        """Raises OSError if it cannot be made."""
        self.path = parent / f"judge-box-{os.getpid()}-{next(_numbers)}"
        self.path.mkdir()
        try:
            for name, value in (
                ("memory.max", memory_bytes),
                ("memory.oom.group", 1),
                ("pids.max", tasks),
            ):
                (self.path / name).write_text(str(value))
            for name, value in (("memory.swap.max", 0), ("cpu.weight", _CPU_WEIGHT)):
                if (self.path / name).exists():  # where there is swap, and cpu is handed on
                    (self.path / name).write_text(str(value))
        except OSError:
            self.path.rmdir()
            raise

    def out_of_memory(self) -> bool:
        """Whether the kernel ended it for its memory."""
        return _counted(self.path / "memory.events", "oom_kill") > 0

    def kill(self) -> None:
        """Kill all that is in it, whatever it forks meanwhile (Linux 5.14)."""
        with contextlib.suppress(OSError):
            (self.path / "cgroup.kill").write_text("1")

    def close(self) -> None:
        """Remove it; what is still dying keeps an empty folder for a while."""
        with contextlib.suppress(OSError):
            self.path.rmdir()


@functools.cache
def parent() -> Path | None:
    """The folder in which the judge may make groups, or None.

    In a subtree that was delegated to us, all processes in it are moved down a level first: a group
    that hands controllers on holds none itself.  Raises UserError if $JUDGE_CGROUP is of no use.
    """
    asked = os.environ.get("JUDGE_CGROUP")
    if asked:
        folder = Path(asked)
        if not _words(folder / "cgroup.subtree_control") >= _NEEDED:
            raise UserError(
                f"JUDGE_CGROUP={asked}: got no memory and pids in its cgroup.subtree_control, "
                "expected a cgroup v2 folder that hands both on; correct it or unset it"
            )
        return folder if os.access(folder, os.W_OK) else None
    own = own_group()
    above = own.parent if own is not None and own.name == _INSIDE else None
    for group in (own, above):
        if group is not None and _is_delegated(group):
            return group if hand_on(group) else None
    return None


def own_group(mounts: Path = Path("/proc/self/mountinfo")) -> Path | None:
    """The folder of the group this process is in, or None without version 2."""
    try:
        line = next(
            one
            for one in Path("/proc/self/cgroup").read_text().splitlines()
            if one.startswith("0::/")
        )
        for mount in mounts.read_text().splitlines():
            before, _, after = mount.partition(" - ")
            if after.startswith("cgroup2 "):
                return Path(before.split()[4] + line[3:].rstrip("/"))
    except (OSError, StopIteration, IndexError):
        pass
    return None


def hand_on(own: Path) -> bool:
    """Move every process of a delegated group into a child, and let it hand controllers on."""
    if not _words(own / "cgroup.controllers") >= _NEEDED:
        return False
    try:
        if not _words(own / "cgroup.subtree_control") >= _NEEDED:
            inside = own / _INSIDE
            inside.mkdir(exist_ok=True)
            for pid in _words(own / "cgroup.procs"):
                (inside / "cgroup.procs").write_text(pid)
            for one in sorted(_NEEDED):
                (own / "cgroup.subtree_control").write_text(f"+{one}")
    except OSError:
        return False
    return True


def _is_delegated(group: Path) -> bool:
    """systemd marks what it has handed to others."""
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError, AttributeError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


def _words(path: Path) -> frozenset[str]:
    try:
        return frozenset(path.read_text().split())
    except OSError:
        return frozenset()


def _counted(path: Path, name: str) -> int:
    for line in _lines(path):
        key, _, value = line.partition(" ")
        if key == name and value.isdigit():
            return int(value)
    return 0


def _lines(path: Path) -> Iterator[str]:
    with contextlib.suppress(OSError):
        yield from path.read_text().splitlines()
