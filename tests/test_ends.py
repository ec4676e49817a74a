"""judge/ends.py: how a worker ended, as the fault of the submission."""

from __future__ import annotations

from typing import Any

import pytest

from judge import ends
from judge.box import Event
from judge.link import Reply
from judge.model import Fault, Limits, Place, Reason, Verdict
from judge.worker import BROKEN

LIMITS = Limits(2.5, 64 << 20)
CRASH = Fault(Verdict.RE, Reason.OUT_OF_BOUNDS, "read past the end of A")


def fault(event: Event, **given: Any) -> Fault:
    """The fault of a worker that ended like this."""
    told = {name: given.pop(name) for name in ("when", "told", "stopped") if name in given}
    return ends.fault(Reply(None, event, **given), LIMITS, **told)


@pytest.mark.parametrize(
    ("event", "returncode", "verdict", "reason", "words"),
    [
        (Event.TIME, -9, Verdict.TLE, Reason.TIMEOUT, "not done after 2.5 s"),
        (Event.MEMORY, -9, Verdict.MLE, Reason.MEMORY, "took more than 64 MiB of memory"),
        (Event.PROCESSES, -9, Verdict.RE, Reason.EXITED, "started other processes during"),
        (Event.ENDED, 0, Verdict.RE, Reason.EXITED, "exit status 0 during the call"),
        (Event.ENDED, 7, Verdict.RE, Reason.EXITED, "exit status 7 during the call"),
        (Event.ENDED, -11, Verdict.RE, Reason.SIGNAL, "SIGSEGV"),
        (Event.ENDED, 139, Verdict.RE, Reason.SIGNAL, "SIGSEGV"),
        (Event.ENDED, 192, Verdict.RE, Reason.SIGNAL, "SIGRTMAX"),
        (Event.ENDED, 193, Verdict.RE, Reason.EXITED, "exit status 193"),
        (Event.ENDED, 255, Verdict.RE, Reason.EXITED, "exit status 255"),
        (Event.ENDED, BROKEN, Verdict.RE, Reason.EXITED, "got nothing, expected its return"),
    ],
)
def test_each_end_has_its_fault(
    event: Event, returncode: int, verdict: Verdict, reason: Reason, words: str
) -> None:
    """Limits, exits and signals: none of them is ever accepted or the judge's own fault."""
    found = fault(event, returncode=returncode)

    assert (found.verdict, found.reason) == (verdict, reason)
    assert words in found.message


def test_garbage_is_shown_harmless() -> None:
    """What came instead of an answer, its control characters written out."""
    found = fault(Event.READABLE, garbage=b"\x1b[2J", returncode=-9)

    assert (found.verdict, found.reason) == (Verdict.RE, Reason.EXITED)
    assert found.message == (
        "the worker's answer during the call: got '\\x1b[2J', expected its return"
    )
    assert "descriptors" in found.details[0]


def test_a_limit_says_where_it_was_met() -> None:
    """A call that was stopped shows the line, if the runtime told it."""
    where = Place("a.cu", 12)

    found = fault(Event.TIME, returncode=-9, stopped=("in kernel spin", where))

    assert (found.place, found.details) == (where, ("in kernel spin",))
    assert fault(Event.TIME, returncode=-9).details == ()


def test_the_runtime_s_word_explains_a_crash_but_excuses_no_limit() -> None:
    """A told crash takes the place of a bare exit status; a limit stays a limit."""
    assert fault(Event.ENDED, returncode=139, told=CRASH) is CRASH
    assert fault(Event.TIME, returncode=-9, told=CRASH).verdict is Verdict.TLE
    assert fault(Event.MEMORY, returncode=-9, told=CRASH).verdict is Verdict.MLE


def test_the_moment_is_named() -> None:
    """Static constructors run while the submission is loaded."""
    found = fault(Event.ENDED, returncode=3, when="while it was loaded")

    assert found.message.endswith("exit status 3 while it was loaded")


def test_prints_are_cleaned_and_cut() -> None:
    """Twenty lines at most, no control characters, and a word where there was more."""
    assert ends.printed(b"a\n\x1b[31mb\xff\n", False) == "a\n\\x1b[31mb\N{REPLACEMENT CHARACTER}"
    assert ends.printed(b"x\n" * 20, False).count("\n") == 19
    assert ends.printed(b"x\n" * 21, False).splitlines()[20] == "... (more was printed)"
    assert ends.printed(b"x\n", True) == "x\n... (more was printed)"
    assert ends.printed(b"", False) == ""
