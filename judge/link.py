"""The judge's end of a worker: a box and three pipes.

    calls    judge -> worker      answers   worker -> judge      notes    runtime -> judge

All reads have a deadline and a bound, because from the moment the submission is loaded every pipe
may be full of its bytes, or closed, or silent.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.box import Box, Event
from judge.model import JudgeError
from judge.notes import Note, parse
from judge.printable import printable
from judge.program import Program

_START_SECONDS = 20.0
_GRACE_SECONDS = 0.2
"""Between SIGTERM, on which the runtime notes where it is, and SIGKILL."""
_END_SECONDS = 2.0
"""Between the end of a worker's pipes and its own: the driver of a GPU takes its time."""
_MOST_GARBAGE_BYTES = 40
_MOST_NOTES_BYTES = 256 << 10
_FIELDS: Mapping[str, type] = {"error": int, "seconds": float}
"""Of the answer to a call."""


class Lacking(JudgeError):
    """A worker's own half cannot work on this system, and says why."""


@dataclass(frozen=True)
class Reply:
    """What came of a message to the worker.

    answer:     the line it sent, parsed, or None
    event:      READABLE with an answer; ENDED, TIME, MEMORY or PROCESSES without; then it is dead
    garbage:    the start of a line that was no answer
    returncode: of a dead worker: exit status, or minus the number of a signal
    """

    answer: Mapping[str, Any] | None
    event: Event
    notes: tuple[Note, ...] = ()
    garbage: bytes = b""
    returncode: int | None = None


class Link:
    """A started worker.  Close it; after a Reply without an answer it can do nothing more."""

    def __init__(self, program: Program) -> None:
        """Start the worker; it then waits for nothing: see `load`.

        Raises JudgeError if it cannot be started.
        """
        self._cwd = Path(tempfile.mkdtemp(prefix="judge-"))
        self._calls = self._answers = self._notes = -1
        self._pending = b""
        self._answer_bytes = program.answer_bytes
        calls_r, self._calls = os.pipe()
        self._answers, answers_w = os.pipe()
        self._notes, notes_w = os.pipe()
        for descriptor in (self._calls, self._answers, self._notes):
            os.set_blocking(descriptor, False)
        pipes = {"calls": calls_r, "answers": answers_w, "notes": notes_w}
        try:
            self._box = Box(
                program.command(pipes),
                cwd=self._cwd,
                env=program.variables(self._cwd),
                bounds=program.bounds,
                pass_fds=(*pipes.values(), *program.pass_fds),
                reach=program.reach(),
            )
        except BaseException:
            self._release()
            raise
        finally:
            for descriptor in pipes.values():
                os.close(descriptor)

    def load(self) -> Reply:
        """Wait until the submission is loaded: an answer with `ready` or `refused`, or none.

        Raises JudgeError if the worker fails before it comes to the submission; Lacking if it says
        that its own half cannot work here.
        """
        deadline = time.monotonic() + _START_SECONDS
        started = self._receive(deadline, 0)
        if started.answer is not None and isinstance(started.answer.get("lacks"), str):
            raise Lacking(printable(started.answer["lacks"]))
        if started.answer is None or started.answer.get("started") != 1:
            output, _ = self._box.take_output()
            said = output.decode("utf-8", "replace").strip().splitlines() or ["no message"]
            raise JudgeError(f"worker: did not start: {started.event.value}: {said[-1]}")
        return self._receive(deadline, 0)

    def ask(
        self,
        message: Mapping[str, Any],
        seconds: float,
        shared_bytes: int,
        fields: Mapping[str, type] = _FIELDS,
    ) -> Reply:
        """Send a call and wait for `{"returned": ...}` with its number, which cannot be guessed.

        fields: of the answer beside `returned`, each of its type; no more and no fewer
        """
        number = secrets.randbits(48)
        deadline = time.monotonic() + seconds
        line = json.dumps({**message, "call": number}).encode() + b"\n"
        try:
            sent = os.write(self._calls, line)
        except OSError:  # gone, or it filled its own pipe
            sent = 0
        if sent != len(line):
            return self._dead(self._box.wait(time.monotonic() + _GRACE_SECONDS))
        reply = self._receive(deadline, shared_bytes)
        if reply.answer is None or _is_return(reply.answer, number, fields):
            return reply
        garbage = json.dumps(dict(reply.answer)).encode()[:100]
        return self._dead(Event.READABLE, reply.notes, garbage)

    def printed(self) -> tuple[bytes, bool]:
        """What the submission printed since the last call, and whether it was cut."""
        return self._box.take_output()

    def mapped_files(self) -> set[str] | None:
        """What the worker has mapped now, as the system tells; None where that is hidden."""
        return self._box.mapped_files()

    def close(self) -> None:
        """End the worker and everything it started, and give everything back."""
        self._box.close()
        self._release()

    def _receive(self, deadline: float, shared_bytes: int) -> Reply:
        """One line of the answers pipe; whatever is none ends the worker."""
        notes = bytearray()
        open_notes = [self._notes]
        while b"\n" not in self._pending:
            event = self._box.wait(deadline, [self._answers, *open_notes], shared_bytes)
            self._take_notes(notes, open_notes)
            if event is Event.TIME:
                self._stop(notes)
            if event is not Event.READABLE:
                return self._dead(event, parse(bytes(notes)))
            with contextlib.suppress(BlockingIOError):
                chunk = os.read(self._answers, self._answer_bytes)
                self._pending += chunk
                if not chunk:  # closed by the submission, or about to end
                    event = self._box.wait(time.monotonic() + _END_SECONDS)
                    self._take_notes(notes, open_notes)
                    event = Event.READABLE if event is Event.TIME else event
                    return self._dead(event, parse(bytes(notes)), self._pending)
            if len(self._pending) > self._answer_bytes:
                break
        self._take_notes(notes, open_notes)
        found = parse(bytes(notes))
        line, _, self._pending = self._pending.partition(b"\n")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            return self._dead(Event.READABLE, found, line)
        return Reply(answer, Event.READABLE, tuple(found))

    def _take_notes(self, notes: bytearray, open_notes: list[int]) -> None:
        """Read all notes there are, keep as many as fit; at their end, stop waiting for more."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(64):  # a flood is left for the next round
                chunk = os.read(self._notes, 1 << 16)
                if not chunk:
                    open_notes.clear()
                    return
                notes += chunk[: max(0, _MOST_NOTES_BYTES - len(notes))]

    def _stop(self, notes: bytearray) -> None:
        """Ask the runtime where it is, and give it a moment to say so."""
        self._box.signal(signal.SIGTERM)
        until = time.monotonic() + _GRACE_SECONDS
        open_notes = [self._notes]
        while open_notes and b'"stopped"' not in notes and time.monotonic() < until:
            event = self._box.wait(until, open_notes)
            self._take_notes(notes, open_notes)
            if event is not Event.READABLE:
                return

    def _dead(self, event: Event, notes: Sequence[Note] = (), garbage: bytes = b"") -> Reply:
        """End the worker and say why it is useless."""
        returncode = self._box.end()
        return Reply(None, event, tuple(notes), garbage[:_MOST_GARBAGE_BYTES], returncode)

    def _release(self) -> None:
        for descriptor in (self._calls, self._answers, self._notes):
            if descriptor >= 0:
                os.close(descriptor)
        self._calls = self._answers = self._notes = -1
        try:
            self._cwd.rmdir()
        except FileNotFoundError:
            pass
        except OSError:  # something was left there; rm bears any depth of folders
            rm = shutil.which("rm") or "/bin/rm"
            subprocess.run([rm, "-rf", "--", str(self._cwd)], capture_output=True, check=False)


def _is_return(answer: Mapping[str, Any], number: int, fields: Mapping[str, type]) -> bool:
    """Whether this is the answer to that call, its fields of their types and no others."""
    return (
        answer.keys() == {"returned", *fields}
        and type(answer["returned"]) is int
        and answer["returned"] == number
        and all(type(answer[name]) is wanted for name, wanted in fields.items())
    )
