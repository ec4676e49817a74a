"""judge/versus.py: two submissions in turns, on made samples."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from judge import spec as specs
from judge import tables, timing, versus
from judge.model import CallFault, Fault, Reason, SpeedRatio, Verdict
from judge.report import Screen


class Made:
    """A stage whose samples are a steady time with noise; remembers what it was asked."""

    def __init__(self, us: Callable[[int], float], log: list[str], name: str) -> None:
        self.us, self.log, self.name = us, log, name
        self.asked: list[Mapping[str, Any]] = []
        self.checked: list[int] = []
        self.gives_up = False
        self.fault: Fault | None = None
        self.new: timing.Outside | None = None

    def sample(self, number: int, *, cold: bool, gated: bool) -> tuple[float, str]:
        """As gpustage's."""
        self.asked.append({"number": number, "cold": cold, "gated": gated})
        if self.gives_up and gated:
            return 0.0, ""
        self.log.append(self.name)
        return self.us(number), "gated events" if gated else "events"

    def check(self, number: int) -> None:
        """As gpustage's."""
        self.checked.append(number)
        if self.fault is not None:
            raise CallFault(self.fault)

    def new_time(self, claimed_us: float) -> timing.Outside | None:
        """As gpustage's."""
        return self.new


def steady(us: float, seed: int, noise: float = 0.002) -> Callable[[int], float]:
    """Around a median, with this much noise."""
    draw = random.Random(seed)
    return lambda number: us * (1 + noise * draw.gauss(0, 1))


def timed(
    a: Callable[[int], float], b: Callable[[int], float]
) -> tuple[versus.Versus, Made, Made, list[str]]:
    """Both in turns."""
    log: list[str] = []
    first, second = Made(a, log, "A"), Made(b, log, "B")
    found = versus.in_turns(("a.cu", first), ("b.cu", second), lambda done, most: None)
    return found, first, second, log


@pytest.mark.parametrize(
    ("factor", "word"), [(0.9, "FASTER"), (0.98, "FASTER"), (1.05, "SLOWER"), (1.0, "SAME")]
)
def test_the_word_is_b_s(factor: float, word: str) -> None:
    """FASTER means that B takes less time; two percent are found, none are not made up."""
    found, *_ = timed(steady(5000, 1), steady(5000 * factor, 2))

    assert found.ratio.word == word
    assert found.ratio.ratio == pytest.approx(factor, rel=0.005)
    assert found.a_us == pytest.approx(5000, rel=0.005)
    assert found.b_us == pytest.approx(5000 * factor, rel=0.005)


def test_a_submission_is_never_faster_than_itself() -> None:
    """A/A, a hundred times: a winner in at most five."""
    words = [timed(steady(60_000, n), steady(60_000, 1000 + n))[0].ratio.word for n in range(100)]

    assert words.count("FASTER") + words.count("SLOWER") <= 5
    assert words.count("SAME") >= 90


def test_noise_that_hides_the_answer_ends_in_unsure() -> None:
    """Forty rounds at most, then the judge says that it does not know."""
    found, *_ = timed(steady(60_000, 3, noise=0.3), steady(60_000, 4, noise=0.3))

    assert found.ratio.word == "UNSURE"
    assert found.ratio.pairs == versus.MOST_QUADS


def test_the_order_is_a_b_b_a_after_a_warm_up() -> None:
    """A drift of the clocks hits both alike; every sample is cold and checked."""
    found, first, second, log = timed(steady(60_000, 5), steady(50_000, 6))
    turns = log[-4 * found.ratio.pairs :]

    assert turns == ["A", "B", "B", "A"] * found.ratio.pairs
    assert found.ratio.pairs >= versus.FEWEST_QUADS
    assert log[: -len(turns)].count("A") >= versus.WARM_UP_CALLS
    assert log[: -len(turns)].count("B") >= versus.WARM_UP_CALLS
    assert all(one["cold"] for one in first.asked + second.asked)
    assert first.checked == [one["number"] for one in first.asked] == list(range(len(first.asked)))


def test_a_side_whose_gate_gives_up_goes_on_without_it() -> None:
    """What was no sample does not count, and the method is told."""
    log: list[str] = []
    first, second = Made(steady(60_000, 7), log, "A"), Made(steady(60_000, 8), log, "B")
    second.gives_up = True
    found = versus.in_turns(("a.cu", first), ("b.cu", second), lambda done, most: None)

    assert [one["gated"] for one in second.asked].count(True) == 1
    assert found.method == "gated events / events"
    assert found.b_us > 1000


def test_a_wrong_call_names_its_side() -> None:
    """Both run the same inputs: the fault says whose call was wrong."""
    log: list[str] = []
    first, second = Made(steady(60_000, 7), log, "A"), Made(steady(60_000, 8), log, "B")
    second.fault = Fault(Verdict.WA, Reason.MISMATCH, "3 of 9 elements wrong")

    with pytest.raises(CallFault) as error:
        versus.in_turns(("a.cu", first), ("b.cu", second), lambda done, most: None)
    assert error.value.fault.message == "b.cu: 3 of 9 elements wrong"
    assert error.value.fault.reason is Reason.MISMATCH


def test_slow_calls_end_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty seconds, not forty rounds, where a call takes long."""
    clock = iter(range(0, 10_000, 1))
    monkeypatch.setattr(versus.time, "perf_counter", lambda: float(next(clock)))
    found, *_ = timed(steady(60_000, 3, noise=0.3), steady(60_000, 4, noise=0.3))

    assert found.ratio.pairs < versus.MOST_QUADS


def test_the_screen_leads_with_the_word() -> None:
    """Who is faster, the ratio with its interval, both medians, and how it was measured."""
    ratio = SpeedRatio("FASTER", 0.9894, 0.9871, 0.9899, 12)
    found = versus.Versus(ratio, 239.4, 236.9, "gated events")
    problem = specs.load("gemm_fp16")
    sources = [Path("x/tiled.cu"), Path("y/register_tiled.cu")]
    screen = tables.versus(found, sources, problem, problem.timed[0], Screen())

    assert screen.splitlines() == [
        "FASTER  register_tiled.cu is faster than tiled.cu  gemm_fp16  1024 x 1024 x 1024",
        "  ratio    0.9894, 95 % interval 0.9871 to 0.9899: B / A in 12 rounds A B B A",
        "  A        239.4 us  x/tiled.cu",
        "  B        236.9 us  y/register_tiled.cu",
        "  method   gated events, L2 cache flushed; same within 1 %",
    ]


def test_a_time_that_holds_for_known_inputs_only_is_doubted() -> None:
    """B reads 50 us, but 500 on inputs that it has never seen: the word stands, and the doubt."""
    log: list[str] = []
    first, second = Made(steady(500.0, 1), log, "A"), Made(steady(50.0, 2), log, "B")
    first.new, second.new = timing.Outside(510.0, 60.0), timing.Outside(500.0, 60.0)

    found = versus.in_turns(("a.cu", first), ("b.cu", second), lambda done, most: None)

    (doubt,) = found.doubts
    assert doubt.startswith("b.cu: ")
    assert "the judge's own clock saw 500 us a call" in doubt
    sizes, sources = {"M": 8}, [Path("a.cu"), Path("b.cu")]
    shown = tables.versus(found, sources, specs.load("gemm_fp16"), sizes, Screen())
    assert "  doubt    not believed: b.cu: " in shown
