"""Find and end everything a boxed process started, daemons included.

A submission may fork twice and call setsid, after which nothing ties its daemon to the process the
judge started.  So the judge declares itself *subreaper* (prctl(2)): an orphan among its descendants
becomes its own child instead of init's, and stays within reach.  Linux only; reads /proc.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_DUMPABLE = 4
_PATIENCE_S = 2.0
"""How long killed processes may take to vanish before they are left to the kernel."""
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Process:
    """A line of the process table, as far as the judge needs it."""

    pid: int
    parent: int
    session: int
    zombie: bool


@functools.cache
def take_charge() -> bool:
    """Become the parent of orphaned descendants, and keep our memory from processes of our user.

    False where the system offers only one of the two, or none.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    return all(
        libc.prctl(option, value, 0, 0, 0) == 0
        for option, value in ((_PR_SET_CHILD_SUBREAPER, 1), (_PR_SET_DUMPABLE, 0))
    )


def table() -> dict[int, Process]:
    """Every process of the machine by its id."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                process = _read(int(name))
                found[process.pid] = process
    return found


def family(root: int, others: Collection[int], token: str) -> list[Process]:
    """What the boxed process `root`, leader of its own session, has started, itself first.

    others: roots of the other boxes alive now; token: the value of JUDGE_BOX in this box.
    A stranger among the judge's own children, in a session that is not the judge's, is an orphan of
    some box: this one's if its environment says so, or if there is no other box to have it.
    """
    processes = table()
    here, session = os.getpid(), os.getsid(0)
    mine = {pid for pid, one in processes.items() if pid == root or one.session == root}
    for one in processes.values():
        adopted = one.parent == here and one.session != session and one.pid != root
        if adopted and one.pid not in others and one.session not in others:
            mark = _mark(one.pid)
            if mark == token or (mark is None and not others):
                mine.add(one.pid)
    children: dict[int, list[int]] = {}
    for one in processes.values():
        children.setdefault(one.parent, []).append(one.pid)
    unseen = list(mine)
    while unseen:
        for child in children.get(unseen.pop(), ()):
            if child not in mine:
                mine.add(child)
                unseen.append(child)
    mine.discard(here)
    return sorted((processes[pid] for pid in mine if pid in processes), key=lambda p: p.pid != root)


def end(root: int, members: Callable[[], list[Process]]) -> bool:
    """Kill the family of `root`, whose `members` are asked for until none is alive.

    The session's group dies in one system call, which a fork cannot outrun; what has left the group
    is stopped before it is killed.  The root stays behind as a zombie, to be waited for.  False if
    something outlived the patience.
    """
    deadline = time.monotonic() + _PATIENCE_S
    with contextlib.suppress(ProcessLookupError):
        os.killpg(root, signal.SIGKILL)
    while True:
        alive = []
        for one in members():
            if one.zombie:
                _reap(one, root)
            else:
                alive.append(one.pid)
        if not alive:
            return True
        if time.monotonic() > deadline:
            return False
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in alive:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        time.sleep(0.001)


def tasks() -> int:
    """Threads of the whole machine, in one short read: a sudden growth asks for a closer look."""
    with open("/proc/loadavg") as file:
        return int(file.read().split()[3].split("/")[1])


def resident_bytes(pids: Collection[int]) -> int:
    """Resident memory of these processes, shared pages counted in each."""
    return sum(_resident(pids))


def mapped_files(pids: Collection[int]) -> set[str] | None:
    """Paths of the files that these processes have mapped; None where one does not let us read."""
    found = set()
    for pid in pids:
        try:
            with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as file:
                found |= {line.split(maxsplit=5)[5].strip() for line in file if line.count("/")}
        except (FileNotFoundError, ProcessLookupError):  # it is gone
            continue
        except OSError:
            return None
    return found


def _resident(pids: Collection[int]) -> Iterator[int]:
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm") as f:
            yield int(f.read().split()[1]) * _PAGE_BYTES


def _read(pid: int) -> Process:
    with open(f"/proc/{pid}/stat", "rb") as file:
        text = file.read()
    # The name in brackets is the process's to choose, brackets and blanks included.
    state, parent, _group, session = text[text.rindex(b")") + 2 :].split()[:4]
    return Process(pid, int(parent), int(session), state in (b"Z", b"X"))


def _mark(pid: int) -> str | None:
    """JUDGE_BOX in the environment of a process, or None where it is not to be read."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
        for line in file.read(65536).split(b"\0"):
            if line.startswith(b"JUDGE_BOX="):
                return line[10:].decode("utf-8", "replace")
    return None


def _reap(one: Process, root: int) -> None:
    """Wait for an adopted orphan; the root is left to whoever wants its exit status."""
    if one.pid != root and one.parent == os.getpid():
        with contextlib.suppress(ChildProcessError):
            os.waitpid(one.pid, os.WNOHANG)
