"""The beginning and the end of a worker, for any backend: loaded, or why it gives no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judge import banned, faults
from judge.box import Event
from judge.confine import MIB
from judge.link import Link, Reply
from judge.model import Fault, Limits, Outcome, Place, Reason, Verdict
from judge.printable import printable
from judge.program import Program
from judge.worker import BROKEN

_MOST_LINES = 20
_LAST_SIGNAL = 64


def loaded(
    program: Program, unwanted: Sequence[str], explain: Callable[[Reply, str], Fault]
) -> Link | Outcome:
    """Start a worker and wait until its submission is loaded; the Outcome of one that cannot be.

    unwanted: libraries that the spec bans: a submission that needs one cannot be
    explain:  from a worker's end, and when it came (`while it was loaded`), to the fault
    Raises JudgeError if the worker fails before it comes to the submission.
    """
    link = Link(program)
    ready = False
    try:
        reply = link.load()
        answer = reply.answer or {}
        if answer.keys() == {"ready"}:
            against = uses_banned(link, unwanted, Verdict.CE)
            ready = against is None
            if against is None:
                return link
            found = against
        elif isinstance(answer.get("refused"), str):
            text = f"the submission cannot be loaded: {printable(answer['refused'])}"
            found = Fault(Verdict.CE, Reason.COMPILE, text)
        else:
            found = explain(reply, "while it was loaded")
        return Outcome(returned=False, fault=found, printed=printed(*link.printed()))
    finally:
        if not ready:
            link.close()


def uses_banned(link: Link, unwanted: Sequence[str], verdict: Verdict = Verdict.RE) -> Fault | None:
    """The fault of a worker that has a library loaded which the spec bans (`unwanted`).

    The system is asked, not the worker.  Nothing costs time where nothing is banned.
    """
    if not unwanted:
        return None
    files = link.mapped_files()
    if files is None:
        text = "the process hides which libraries it has loaded; expected it to be readable"
        return Fault(verdict, Reason.BANNED, text)
    found = banned.loaded(files, unwanted)
    if found is None:
        return None
    name, file = found
    text = f"{printable(file)} is loaded; this problem bans {name}: write it without"
    return Fault(verdict, Reason.BANNED, text)


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
