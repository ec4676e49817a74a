"""Notes of the runtime, and the ways a process ends, as faults and sentences for people."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Sequence
from dataclasses import replace

from judge import beyond
from judge.beyond import Layouts
from judge.counted import counted
from judge.model import Fault, Place, Reason, Verdict
from judge.notes import Note
from judge.symbols import Symbols

_MISALIGNED = 716  # cudaErrorMisalignedAddress
_NOT_SUPPORTED = 801  # cudaErrorNotSupported
_SIGNALS = {
    signal.SIGABRT: "abort(), a failed assert, or a C++ exception that nobody caught",
    signal.SIGFPE: "an integer division by zero, or the smallest integer divided by -1",
    signal.SIGILL: "an illegal instruction: __trap(), or a function that ends without its return",
    signal.SIGKILL: "killed, by itself or by the system",
    signal.SIGSEGV: "an access to memory it does not own",
    signal.SIGBUS: "an access to memory that is not there",
}


class Reader:
    """Turns notes of one submission into faults; knows its file and its symbols.

    layouts: of each array its dimensions and the bytes of an element, to name elements by index
    """

    def __init__(self, symbols: Symbols, layouts: Layouts) -> None:
        self._symbols, self._layouts = symbols, layouts

    def death(self, notes: Sequence[Note]) -> Fault | None:
        """The fault that ended the worker, if a note tells."""
        ends = ("fault", "signal")
        last = [note for note in notes if note.kind in ends and not note.found_later]
        if not last:
            return None
        note = last[-1]
        before = tuple(text for text in map(self._error_text, notes) if text)
        if note.kind == "signal":
            fault = by_signal(note.signal, self.place(note), _who(note), before)
            if note.signal != signal.SIGABRT or note.host:
                return fault
            text = f"{_who(note)} ended by a failed assert, or by abort(), which no GPU has"
            return replace(fault, message=text)
        reason = Reason.OUT_OF_BOUNDS
        if note.misaligned:
            reason = Reason.MISALIGNED
        elif note.buffer == "stack":
            reason = Reason.STACK_OVERFLOW
        details = (*beyond.element(note, self._layouts), *self._allocated(note), *before)
        text = f"{_who(note)} {self._access(note)}"
        return Fault(Verdict.RE, reason, text, self.place(note), details)

    def call(self, notes: Sequence[Note], error: int) -> Fault | None:
        """The first error of a call that returned; `error` is what CUDA said at its end."""
        for note in notes:
            fault = self._error(note, error)
            if fault:
                return fault
        if error:
            text = f"after the call CUDA's last error is {error}, which the submission left unread"
            return Fault(Verdict.RE, Reason.CUDA_ERROR, text)
        return None

    def stopped(self, notes: Sequence[Note]) -> tuple[str, Place | None]:
        """Where it was when time was up: a sentence, empty if no note tells, and the line."""
        for note in notes:
            if note.kind == "stopped":
                return f"it was in {_who(note)} then", self.place(note)
        return "", None

    def sentences(self, notes: Sequence[Note]) -> tuple[str, ...]:
        """What is worth saying beside any verdict, each once."""
        told: dict[str, None] = {}
        for note in notes:
            if note.kind == "readonly_write":
                told[f"{_who(note)} writes {note.buffer}, an input{self._at(note)}"] = None
            elif note.kind == "launch" and note.empty:
                text = f"{note.kernel} was launched with an empty grid or block and did nothing"
                told[f"{text}{self._at(note)}"] = None
            elif note.kind == "error":
                told[f"{self._error_text(note)}{self._at(note)}"] = None
        return tuple(told)

    def place(self, note: Note) -> Place | None:
        """The line of the submission a note is about."""
        if note.line > 0:
            return Place(self._symbols.file, note.line)
        place = self._symbols.place(note.pc) if note.pc else None
        if place is None and note.launch_line > 0:
            return Place(self._symbols.file, note.launch_line)
        return place

    def _at(self, note: Note) -> str:
        place = self.place(note)
        return f" ({place})" if place else ""

    def _error(self, note: Note, error: int) -> Fault | None:
        """A fault from a note that does not end the worker."""
        text, place = self._error_text(note), self.place(note)
        if note.kind == "launch" and not note.empty:
            return Fault(Verdict.RE, Reason.LAUNCH_LIMITS, text, place)
        if note.kind == "fault" and note.found_later:
            text = f"the call wrote at {beyond.outside(note)}"
            return Fault(
                Verdict.RE, Reason.OUT_OF_BOUNDS, text, place, tuple(self._allocated(note))
            )
        if note.kind == "memory":
            return Fault(Verdict.MLE, Reason.MEMORY, text, place)
        if note.kind == "barrier":
            deadlock = note.reason == "deadlock"
            reason = Reason.DEADLOCK if deadlock else Reason.BARRIER_DIVERGENCE
            return Fault(Verdict.RE, reason, text, place, self._other(note))
        if note.kind == "error" and error and note.error == _NOT_SUPPORTED:
            text = f"the CPU backend does not support this: {note.message}; use BACKEND=gpu"
            return Fault(Verdict.CE, Reason.UNSUPPORTED, text, place)
        if note.kind == "error" and error:
            reason = Reason.MISALIGNED if note.error == _MISALIGNED else Reason.CUDA_ERROR
            return Fault(Verdict.RE, reason, text, place)
        return None

    def _other(self, note: Note) -> tuple[str, ...]:
        other = Place(self._symbols.file, note.other_line)
        return (f"the other threads: {other}",) if note.other_line > 0 else ()

    def _error_text(self, note: Note) -> str:
        """The sentence of a note that does not end the worker; empty for other kinds."""
        if note.kind == "launch" and not note.empty:
            return f"{note.kernel} was not launched: {note.message}"
        if note.kind == "memory":
            return (
                f"cudaMalloc of {counted(note.asked, 'byte')}: got a limit of "
                f"{counted(note.limit, 'byte')}, of which {note.in_use} were taken"
            )
        if note.kind == "barrier":
            if not note.kernel:
                return note.message
            return f"block {_triple(note.block)} of {note.kernel}: {note.message}"
        if note.kind == "error":
            return f"{note.name}: {note.message}" if note.message else note.name
        return ""

    def _access(self, note: Note) -> str:
        """What was done to which byte of which buffer."""
        verb = {"read": "reads", "write": "writes", "exec": "executes"}.get(note.access, "accesses")
        if note.misaligned:
            return (
                f"{verb} byte {note.offset} of {note.buffer} at address {note.address}, "
                "which is not a multiple of the size of the access"
            )
        if note.buffer == "null":
            return f"{verb} through a null pointer (address {note.address})"
        if note.buffer == "stack":
            return "needs more stack than it has: endless recursion, or large local arrays"
        if not note.buffer:
            return f"{verb} address {note.address}, where no buffer is"
        return f"{verb} at {beyond.outside(note)}"

    def _allocated(self, note: Note) -> Iterable[str]:
        """Where a buffer of cudaMalloc comes from."""
        if note.buffer_line > 0:
            yield f"allocated at {Place(self._symbols.file, note.buffer_line)}"


def by_signal(
    number: int,
    place: Place | None = None,
    who: str = "the submission",
    details: Sequence[str] = (),
) -> Fault:
    """The fault of a process that a signal ended."""
    try:
        known = signal.Signals(number)
        text = f"{who} ended by {known.name}: {_SIGNALS.get(known, 'a signal')}"
    except ValueError:
        text = f"{who} ended by signal {number}"
    return Fault(Verdict.RE, Reason.SIGNAL, text, place, tuple(details))


def _who(note: Note) -> str:
    """The CUDA thread, or host code."""
    if note.host or not note.kernel:
        return "host code"
    if not note.thread or not note.block:
        return f"kernel {note.kernel}"
    return f"thread {_triple(note.thread)} of block {_triple(note.block)} of {note.kernel}"


def _triple(index: tuple[int, ...]) -> str:
    return f"({','.join(map(str, index))})"
