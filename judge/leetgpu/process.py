"""The judge's end of a challenge's process: questions out, answers in, and an end to everything.

The process is boxed as a compiler is: it reads the checkout, Python and its packages, writes
nothing but its own empty folder, and has no network.  It is asked under a lock, because answers are
made on a thread of their own.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge import paths
from judge.box import Box, Event
from judge.confine import Bounds
from judge.leetgpu import child, wire
from judge.leetgpu.wire import Named
from judge.model import Array, BackendMissing, SpecError
from judge.printable import printable
from judge.reach import ROOT, Reach, interpreter, packages

SECONDS = 300.0
"""Of one answer; the first loads torch, and on a GPU references at large sizes are asked for."""
_MOST_MEMORY = 16 << 30
_RANDOM = Path("/dev/urandom")
_CHUNK_BYTES = 1 << 20


class Process:
    """A challenge that is loaded.  Close it; it is closed at the latest when the judge ends."""

    def __init__(self, challenge: Path, base: Path | None, seed: str, seconds: float = SECONDS):
        """challenge: the path of challenge.py;  base: the folder that holds the checkout's `core`.

        Nothing is loaded before the first question.  Raises JudgeError if it cannot be started.
        """
        self._challenge, self._seconds = challenge, seconds
        self._seed = seed  # not an argument, which any process might read
        self._lock = threading.Lock()
        self._cwd = Path(tempfile.mkdtemp(prefix="judge-"))
        calls, self._calls = os.pipe()
        self._answers, answers = os.pipe()
        setting = {
            "challenge": str(challenge),
            "base": str(base) if base else "",
            "calls": calls,
            "answers": answers,
        }
        for descriptor in (self._calls, self._answers):
            os.set_blocking(descriptor, False)
            with contextlib.suppress(OSError):  # slower without
                fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _CHUNK_BYTES)
        bounds = Bounds(_memory_bytes())
        reads = (challenge.parent, ROOT / "judge", _RANDOM, *interpreter(), *packages())
        python = [sys.executable, "-c", child.LAUNCH, str(ROOT / "judge"), json.dumps(setting)]
        try:
            self._box = Box(
                python,
                cwd=self._cwd,
                env={**os.environ, **_environment(self._cwd)},
                bounds=bounds,
                pass_fds=(calls, answers),
                reach=Reach((*reads, base) if base else reads, programs=True),
            )
        except BaseException:
            shutil.rmtree(self._cwd, ignore_errors=True)
            raise
        finally:
            os.close(calls)
            os.close(answers)
        descriptors = (self._calls, self._answers)
        self._finish = weakref.finalize(self, _finish, self._box, descriptors, self._cwd)

    def ask(
        self, question: Mapping[str, Any], arrays: Named | None = None
    ) -> tuple[dict[str, Any], dict[str, Array]]:
        """The answer to a question.

        Raises SpecError for what fails in the checkout, BackendMissing without torch.
        """
        with self._lock:
            deadline = time.monotonic() + self._seconds
            for part in wire.pack({**question, "seed": self._seed}, arrays or {}):
                self._send(part, deadline)
            head, found = wire.unpack(lambda size: self._read(size, deadline))
        error = head.get("error")
        if error is None:
            return head, found
        if error["torch"]:
            raise BackendMissing(
                f"--leetgpu: torch {printable(error['torch'], 200)}; install it: {install()}"
            )
        hint = ""
        if error["missing"] == "core":
            hint = "; expected core/ in a folder above it: name a challenge inside a whole checkout"
        message = printable(error["message"], 300) + hint
        raise SpecError(paths.shown(Path(error["path"])), error["line"], "", message)

    def close(self) -> None:
        """End the process; may be called twice."""
        self._finish()

    def _send(self, part: memoryview, deadline: float) -> None:
        poller = select.poll()
        poller.register(self._calls, select.POLLOUT)
        while part:
            try:
                part = part[os.write(self._calls, part[:_CHUNK_BYTES]) :]
            except BlockingIOError:
                if not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
                    raise self._ended(Event.TIME) from None
            except OSError:
                raise self._ended(Event.ENDED) from None

    def _read(self, size: int, deadline: float) -> bytearray:
        content = bytearray()
        while len(content) < size:
            event = self._box.wait(deadline, (self._answers,))
            if event is not Event.READABLE:
                raise self._ended(event)
            with contextlib.suppress(BlockingIOError):
                chunk = os.read(self._answers, min(_CHUNK_BYTES, size - len(content)))
                if not chunk:
                    raise self._ended(Event.ENDED)
                content += chunk
        return content

    def _ended(self, event: Event) -> SpecError:
        """The process is of no use any more: it ends, and a line says why."""
        status = self._box.end()
        output, _ = self._box.take_output()
        said = output.decode("utf-8", "replace").strip().splitlines()
        shown = paths.shown(self._challenge)
        if event is Event.TIME:
            return SpecError(shown, 0, "", f"took more than {self._seconds:g} s for one answer")
        if event is Event.MEMORY:
            limit = self._box.bounds.memory_bytes // 2**20
            return SpecError(shown, 0, "", f"took more than {limit} MiB of memory")
        last = f": {printable(said[-1], 200)}" if said else ""
        return SpecError(shown, 0, "", f"its process ended by itself, with status {status}{last}")


def install() -> str:
    """The command for a user without torch."""
    python = paths.shown(Path(sys.executable))
    return f"{python} -m pip install torch (the CPU build is enough)"


def _environment(cwd: Path) -> dict[str, str]:
    """What it sees otherwise than the judge: no GPU, a home of its own, and, from another folder,
    the same Python modules."""
    return {
        "CUDA_VISIBLE_DEVICES": "",
        "HOME": str(cwd),
        "TMPDIR": str(cwd),
        "PYTHONPATH": os.pathsep.join(map(str, packages())),
    }


def _finish(box: Box, descriptors: Sequence[int], cwd: Path) -> None:
    """End it and leave nothing behind."""
    box.close()
    for descriptor in descriptors:
        os.close(descriptor)
    shutil.rmtree(cwd, ignore_errors=True)


def _memory_bytes() -> int:
    """Three quarters of this machine's memory, at most 16 GiB."""
    installed = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min(_MOST_MEMORY, installed * 3 // 4)
