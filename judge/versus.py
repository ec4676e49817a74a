"""Two submissions timed in turns, A B B A, until it is clear which is faster, or time is up.

Both workers live at once and take their samples cold, so that a drift of clocks or heat hits both
alike.  Every sample is checked.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from judge import timing
from judge.model import CallFault, SpeedRatio

FEWEST_QUADS, MOST_QUADS = 10, 40
MOST_SECONDS = 20.0
WARM_UP_CALLS = 3
WARM_UP_US = 200_000.0
_WARM_UP_SECONDS = 2.0


class Stage(Protocol):
    """Where one of them is called (judge/gpustage.py)."""

    def sample(self, number: int, *, cold: bool, gated: bool) -> tuple[float, str]:
        """One timed call: us and method; an empty method means that the gate gave up."""

    def check(self, number: int) -> None:
        """Raises CallFault if the outputs of a call are wrong."""

    def new_time(self, claimed_us: float) -> timing.Outside | None:
        """A call on inputs that the worker has not seen, by the judge's own clock."""


@dataclass(frozen=True)
class Versus:
    """b against a: the ratio b / a with its word, the medians, and how samples were taken.

    doubts: why a time is not believed, naming whose
    """

    ratio: SpeedRatio
    a_us: float
    b_us: float
    method: str
    doubts: tuple[str, ...] = ()


class _Side:
    """One submission: gated samples as long as it lets them be gated."""

    def __init__(self, name: str, stage: Stage) -> None:
        self._name, self._stage, self._number, self._gated = name, stage, 0, True
        self.method = ""

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Faults say whose they are."""
        try:
            yield
        except CallFault as error:
            message = f"{self._name}: {error.fault.message}"
            raise CallFault(replace(error.fault, message=message)) from error

    def take(self) -> float:
        """One cold sample in us, its outputs checked.  Raises CallFault."""
        while True:
            with self._named():
                us, method = self._stage.sample(self._number, cold=True, gated=self._gated)
                self._stage.check(self._number)
            self._number += 1
            if method:
                self.method = method
                return us
            self._gated = False

    def doubt(self, us: float) -> str:
        """Why this median is not believed, or an empty string.  Raises CallFault."""
        with self._named():
            new = self._stage.new_time(us)
        found = timing.disbelief(us, slope=None, floor=0.0, new=new)
        return f"{self._name}: {found}" if found else ""

    def warm_up(self) -> None:
        """Bring clocks up; what is read here is forgotten."""
        started, busy_us, calls = time.perf_counter(), 0.0, 0
        while calls < WARM_UP_CALLS or busy_us < WARM_UP_US:
            busy_us += self.take()
            calls += 1
            if time.perf_counter() - started > _WARM_UP_SECONDS:
                break


def in_turns(
    a: tuple[str, Stage], b: tuple[str, Stage], tell: Callable[[int, int], None]
) -> Versus:
    """Sample in turns until the word is not UNSURE, or quads or seconds run out.

    a, b: what they are called, and where
    tell: hears how many quads there are, of how many at most
    Raises CallFault, which names a or b, if a call is wrong.
    """
    first, second = _Side(*a), _Side(*b)
    for side in (first, second):
        side.warm_up()
    quads: list[tuple[float, float, float, float]] = []
    started = time.perf_counter()
    while True:
        tell(len(quads), MOST_QUADS)
        quads.append((first.take(), second.take(), second.take(), first.take()))
        ratio = timing.compare(quads)
        decided = ratio.word != "UNSURE" and len(quads) >= FEWEST_QUADS
        late = time.perf_counter() - started > MOST_SECONDS
        if decided or late or len(quads) >= MOST_QUADS:
            break
    a_us = statistics.median(us for a1, _, _, a2 in quads for us in (a1, a2))
    b_us = statistics.median(us for _, b1, b2, _ in quads for us in (b1, b2))
    return Versus(
        ratio=ratio,
        a_us=a_us,
        b_us=b_us,
        method=" / ".join(dict.fromkeys([first.method, second.method])),
        doubts=tuple(filter(None, (first.doubt(a_us), second.doubt(b_us)))),
    )
