"""Why a worker gave no answer: from what the judge saw of its end to a Fault.  For any backend."""

from __future__ import annotations

from judge import faults
from judge.box import Event
from judge.confine import MIB
from judge.link import Reply
from judge.model import Fault, Limits, Place, Reason, Verdict
from judge.printable import printable
from judge.worker import BROKEN

_MOST_LINES = 20
_LAST_SIGNAL = 64


def fault(
    reply: Reply,
    limits: Limits,
    when: str = "during the call",
    told: Fault | None = None,
    stopped: tuple[str, Place | None] = ("", None),
) -> Fault:
    """The fault of a worker that is dead now.

    told: what it said of a crash itself;  stopped: where it was when its time was up
    """
    if reply.event is Event.TIME:
        where, place = stopped
        text = f"not done after {limits.seconds_per_call:g} s"
        return Fault(Verdict.TLE, Reason.TIMEOUT, text, place, tuple(filter(None, (where,))))
    if reply.event is Event.MEMORY:
        text = f"took more than {limits.memory_bytes // MIB} MiB of memory"
        return Fault(Verdict.MLE, Reason.MEMORY, text)
    if reply.event is Event.PROCESSES:
        return Fault(Verdict.RE, Reason.EXITED, f"started other processes {when}")
    if told is not None:
        return told
    status = reply.returncode or 0
    if reply.event is Event.READABLE or status == BROKEN:
        got = repr(reply.garbage)[1:] if reply.garbage else "nothing"
        text = f"the worker's answer {when}: got {got}, expected its return"
        hint = "it seems to write to, or close, descriptors that are not its own"
        return Fault(Verdict.RE, Reason.EXITED, text, details=(hint,))
    # A shell, and bubblewrap, say 128 + n for signal n.
    number = -status if status < 0 else status - 128
    if 0 < number <= _LAST_SIGNAL:
        return faults.by_signal(number)
    text = f"the submission ended its process with exit status {status} {when}"
    return Fault(Verdict.RE, Reason.EXITED, text)


def printed(output: bytes, cut: bool) -> str:
    """What a submission printed, cleaned, a screenful at most."""
    lines = output.decode("utf-8", "replace").splitlines()
    shown = [printable(line) for line in lines[:_MOST_LINES]]
    if cut or len(lines) > _MOST_LINES:
        shown.append("... (more was printed)")
    return "\n".join(shown)
