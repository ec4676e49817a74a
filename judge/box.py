"""Run a program that nobody trusts: bounded in time, memory and output, and gone afterwards.

`Box` keeps a worker alive over many calls: the judge waits on the worker's pipes with `wait`, which
also drains what it prints and watches what it takes, so a flood neither blocks the program nor
fills the judge.  judge/boxed.py runs a program to its end.
"""

from __future__ import annotations

import contextlib
import enum
import os
import secrets
import select
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from judge import cgroup, processes
from judge.confine import Bounds, command, wraps
from judge.model import JudgeError
from judge.reach import Reach

_TICK_S = 0.02
"""Between two looks at memory."""
_CENSUS_TICKS = 8
"""Looks at memory between two looks at the whole process table, which cost milliseconds."""
_CENSUS_TASKS = 32
"""New threads on the machine that make the next look a census: a fork bomb doubles in a tick."""
_CHUNK_BYTES = 1 << 16
_KILLED = -9
_THREADS = 512
"""Of a box, beside its processes, where a control group counts them."""
_CAGED = Reach(programs=True)
"""What every program may read, and its own folder."""

_alive: set[int] = set()
"""Roots of the boxes open now, which an orphan may belong to."""
_births = threading.Lock()
"""Held while a box starts, so that its root is never taken for an orphan of another box."""


class Event(enum.Enum):
    """Why a wait is over."""

    READABLE = "a pipe has something to read"
    ENDED = "the program ended"
    TIME = "the deadline passed"
    MEMORY = "it took more memory than it may"
    PROCESSES = "it started more processes than it may"


class Box:
    """A running program with everything it started.  Close it, or use it in a `with` statement."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        bounds: Bounds,
        pass_fds: Sequence[int] = (),
        reach: Reach = _CAGED,
    ) -> None:
        """Start `argv` in `cwd`, with exactly `env` and JUDGE_BOX.

        pass_fds: descriptors it inherits beside stdin (empty), stdout and stderr (kept, capped)
        reach:    the files it may touch; a program that starts programs may write in `cwd` too
        Raises JudgeError if it cannot be started.
        """
        processes.take_charge()
        self.bounds = bounds
        self._group = _group(bounds)
        self._wrapped = wraps(reach)
        self._token = secrets.token_hex(8)
        self._ended: int | None = None
        self._output = bytearray()
        self._cut = False
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        try:
            with _births:
                self._process = subprocess.Popen(
                    command(argv, cwd, bounds, reach, self._group.path if self._group else None),
                    cwd=cwd,
                    env={**env, "JUDGE_BOX": self._token},
                    stdin=subprocess.DEVNULL,
                    stdout=writer,
                    stderr=writer,
                    pass_fds=pass_fds,
                    start_new_session=True,
                )
                self.pid = self._process.pid
                _alive.add(self.pid)
        except OSError as error:
            os.close(self._reader)
            if self._group is not None:
                self._group.close()
            raise JudgeError(f"{argv[0]}: cannot be started: {error.strerror}") from error
        finally:
            os.close(writer)
        self._pidfd = os.pidfd_open(self.pid)
        self._draining = True
        self._pids = [self.pid]
        self._look = 0
        self._tasks = 0
        self._next_look = time.monotonic() + _TICK_S

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self, deadline: float, readable: Sequence[int] = (), shared_bytes: int = 0) -> Event:
        """Wait for something to read on `readable`, the end, or a bound; READABLE goes first.

        deadline:     on the clock of time.monotonic
        shared_bytes: of the judge's own memory that it may have mapped, not counted against it
        """
        poller = select.poll()
        for descriptor in (*readable, self._pidfd):
            poller.register(descriptor, select.POLLIN)
        if self._draining:
            poller.register(self._reader, select.POLLIN)
        while True:
            pause = max(0.0, min(deadline, self._next_look) - time.monotonic())
            ready = {descriptor for descriptor, _ in poller.poll(pause * 1000 + 0.5)}
            if self._reader in ready and not self._drain():
                poller.unregister(self._reader)
            if not ready.isdisjoint(readable):
                return Event.READABLE
            if self._pidfd in ready:
                return self._ending()
            now = time.monotonic()
            if now >= self._next_look:
                over = self._watch(shared_bytes)
                if over:
                    return over
            if now >= deadline:
                return Event.TIME

    def signal(self, number: int) -> None:
        """Send a signal to the program itself: inside bubblewrap, to the innermost process."""
        family = self._family()
        parents = {one.parent for one in family}
        leaves = [one.pid for one in family if one.pid not in parents and not one.zombie]
        for pid in leaves if self._wrapped else [self.pid]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def mapped_files(self) -> set[str] | None:
        """Files its processes have mapped, shared libraries among them; None if that is hidden."""
        return processes.mapped_files([one.pid for one in self._family() if not one.zombie])

    def end(self) -> int:
        """Kill the program and all it started; its exit status, or minus the number of a signal."""
        if self._ended is None:
            if self._group is not None:
                self._group.kill()
            # The root stays a zombie until here, so that its id is not given to another process.
            processes.end(self.pid, self._family)
            try:
                self._ended = self._process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                self._ended = _KILLED
            _alive.discard(self.pid)
            deadline = time.monotonic() + 0.2  # an orphan beyond reach may hold the pipe for ever
            while self._draining and time.monotonic() < deadline and self._drain(poll=True):
                pass
        return self._ended

    def take_output(self) -> tuple[bytes, bool]:
        """What it printed since the last call, and whether that was cut at the bound."""
        while self._draining and self._drain(poll=True):
            if len(self._output) >= self.bounds.output_bytes:
                break
        taken, cut = bytes(self._output), self._cut
        self._output.clear()
        self._cut = False
        return taken, cut

    def close(self) -> None:
        """End it and give the descriptors back; may be called twice."""
        self.end()
        for descriptor in (self._reader, self._pidfd):
            if descriptor >= 0:
                os.close(descriptor)
        self._reader = self._pidfd = -1
        self._draining = False
        if self._group is not None:
            self._group.close()

    def _ending(self) -> Event:
        """It is over: by itself, or by the kernel because of a bound."""
        if self._group is not None and self._group.out_of_memory():
            return Event.MEMORY
        return Event.ENDED

    def _family(self) -> list[processes.Process]:
        """What belongs to this box now, the root first."""
        with _births:
            return processes.family(self.pid, _alive - {self.pid}, self._token)

    def _drain(self, poll: bool = False) -> bool:
        """Read what was printed, once; False at the end, or when `poll` finds nothing."""
        try:
            chunk = os.read(self._reader, _CHUNK_BYTES)
        except BlockingIOError:
            return not poll
        if not chunk:
            self._draining = False
            return False
        room = self.bounds.output_bytes - len(self._output)
        self._output += chunk[: max(0, room)]
        self._cut = self._cut or len(chunk) > room
        return True

    def _watch(self, shared_bytes: int) -> Event | None:
        """Look at memory, and now and then at the number of processes."""
        tasks = processes.tasks()
        if self._look % _CENSUS_TICKS == 0 or tasks > self._tasks + _CENSUS_TASKS:
            self._tasks = tasks
            family = self._family()
            self._pids = [one.pid for one in family if not one.zombie]
        self._look += 1
        self._next_look = time.monotonic() + _TICK_S
        if len(self._pids) > self.bounds.processes:
            return Event.PROCESSES
        taken = processes.resident_bytes(self._pids) - shared_bytes
        return Event.MEMORY if taken > self.bounds.memory_bytes else None


def _group(bounds: Bounds) -> cgroup.Group | None:
    """A control group for a box, where the judge may make one."""
    folder = cgroup.parent()
    if folder is None:
        return None
    try:
        return cgroup.Group(folder, bounds.memory_bytes, bounds.processes + _THREADS)
    except OSError as error:
        raise JudgeError(f"{folder}: cannot make a control group: {error.strerror}") from error
