"""A call on inputs that the worker has never seen, by the judge's own clock, from outside.

    single    one call on a set that it knows, again and again: what a message costs beside calls
    new       one call on each of several contents that have just been put into sets, all checked
              before the clock stops

What the second takes longer is divided by the calls it has more.  Nobody who remembers results, or
skips what is done already, makes that shorter; nor who is slow in the first on purpose, which is
not waited for without a bound.  A machine that was busy at that moment makes it longer, so a claim
that does not stand is held against it again, in a fresh worker that has seen nothing.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from judge import timing
from judge.gpukept import Content
from judge.model import JudgeError

TRIES = 3
_WARM_SECONDS = 0.1
_FEWEST_SINGLES, _MOST_SINGLES = 5, 50
_NOISE_US = 1000.0
"""By which two messages may differ that ask for the same; seen on an H200: 600."""
_MESSAGE_SECONDS = 0.002
"""Of a message and its answer, two processes taking turns on the device: twice an H200's."""


class Stage(Protocol):
    """Where calls are made (judge/gpustage.py)."""

    def __len__(self) -> int:
        """How many sets there are."""

    def hold(self, number: int, content: Content) -> None:
        """Put another content into a set."""

    def outside(self, numbers: Sequence[int], calls: int, checks: Sequence[int]) -> float:
        """Seconds from a message to the end of the checks."""

    def check(self, number: int) -> None:
        """Raises CallFault if the outputs of a set are wrong."""

    def check_surroundings(self) -> None:
        """Raises CallFault if inputs or guard bands are not as they were."""

    def copy_seconds(self, numbers: Sequence[int]) -> float:
        """What the copies of a message about these sets may take."""


Reopen = Callable[[], AbstractContextManager[Stage]]


def measure(
    stage: Stage, contents: Sequence[Content], reopen: Reopen, claimed_us: float
) -> timing.Outside | None:
    """The time of a call on new inputs; None without two contents and a set beside them.

    reopen:     the same, staged for a fresh worker
    claimed_us: what a call is said to take
    Raises CallFault.
    """
    found = _once(stage, contents, claimed_us)
    for _ in range(TRIES - 1):
        if found is None or not timing.disbelief(claimed_us, slope=None, floor=0.0, new=found):
            break
        try:
            with reopen() as fresh:
                again = _once(fresh, contents, claimed_us)
        except JudgeError:  # a small device may have no room for both
            break
        found = again if again is not None and again.us < found.us else found
    return found


def _once(stage: Stage, contents: Sequence[Content], claimed_us: float) -> timing.Outside | None:
    count = min(len(contents), len(stage) - 1)
    if count < 2:
        return None
    stage.check_surroundings()  # of what is replaced now
    for number in range(count):
        stage.hold(number, contents[number])
    known = [count] * count
    singles: list[float] = []
    started = time.perf_counter()
    while len(singles) < _FEWEST_SINGLES or (
        len(singles) < _MOST_SINGLES and time.perf_counter() - started < _WARM_SECONDS
    ):
        singles.append(stage.outside(known[:1], 1, known))
    took = stage.outside(range(count), count, range(count))
    started = time.perf_counter()
    for number in known:
        stage.check(number)
    most = time.perf_counter() - started + _MESSAGE_SECONDS + stage.copy_seconds(known)
    single = statistics.median(singles[-_FEWEST_SINGLES:])
    more = took - min(single, most + claimed_us * 1e-6)
    return timing.Outside(more / (count - 1) * 1e6, _NOISE_US / (count - 1))
