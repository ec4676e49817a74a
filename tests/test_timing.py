"""Statistics of samples, on synthetic samples: no GPU needed."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from judge import timing


@pytest.mark.parametrize("n", [6, 7, 20, 51, 200, 1001])
def test_interval_ranks_reach_the_confidence(n: int) -> None:
    """The binomial weight between the two ranks is at least 95 %, and one rank closer less."""

    def weight(low: int) -> float:
        return sum(math.comb(n, k) for k in range(low + 1, n - low)) / 2**n

    low, high = timing.interval_ranks(n)

    assert low == n - 1 - high
    assert weight(low) >= 0.95
    assert weight(low + 1) < 0.95


def test_interval_of_few_samples_is_their_range() -> None:
    """Five samples cannot enclose the median with 95 %: the interval is all of them."""
    assert timing.interval_ranks(5) == (0, 4)
    assert timing.interval_ranks(1) == (0, 0)


def test_no_samples_have_no_interval() -> None:
    """A median of nothing is refused."""
    with pytest.raises(ValueError, match="no samples"):
        timing.median_interval([])


@pytest.mark.parametrize("shape", ["normal", "lognormal", "two_peaks"])
def test_interval_covers_the_true_median(shape: str) -> None:
    """Over 2,000 synthetic runs the 95 % interval holds the true median in at least 94 %."""
    rng = random.Random(shape)
    draws: dict[str, Callable[[], float]] = {
        "normal": lambda: rng.gauss(100, 2),
        "lognormal": lambda: 100 * math.exp(rng.gauss(0, 0.05)),
        # 0.9 N(100, 1) + 0.1 N(130, 1): half of all lies below where the first reaches 5/9.
        "two_peaks": lambda: rng.gauss(100, 1) if rng.random() < 0.9 else rng.gauss(130, 1),
    }
    truth = {"normal": 100.0, "lognormal": 100.0, "two_peaks": 100.1397}[shape]

    hits = 0
    for _ in range(2000):
        _, low, high = timing.median_interval([draws[shape]() for _ in range(41)])
        hits += low <= truth <= high

    assert hits >= 1880


def test_stop_rule_waits_for_samples_time_and_precision() -> None:
    """Nineteen samples, or 50 ms, or a wide interval are each not enough."""
    assert not timing.enough([10_000.0] * 19)
    assert not timing.enough([100.0] * 500)
    assert timing.enough([200.0] * 500)
    assert not timing.enough([900.0 + 10 * k for k in range(200)])


def test_stop_rule_ends_for_short_calls() -> None:
    """A call of 5 us is not sampled twenty thousand times to fill 100 ms."""
    assert not timing.enough([5.0] * 999)
    assert timing.enough([5.0] * 1000)


def test_stop_rule_does_not_ask_for_more_than_half_a_microsecond() -> None:
    """For a 5 us kernel, +- 0.4 us (8 %) is as narrow as is asked."""
    assert timing.narrow(5.0, 4.6, 5.4)
    assert not timing.narrow(5.0, 4.4, 5.6)


def test_summary_tells_noise() -> None:
    """A wide interval is marked noisy and still gives a number; a narrow one is not marked."""
    quiet = timing.summarise([100.0, 100.2] * 20, method="events", cold=True)
    loud = timing.summarise([50.0, 150.0] * 20, method="events", cold=True)

    assert not quiet.noisy
    assert quiet.noise < 0.002
    assert loud.noisy
    assert loud.median_us == pytest.approx(100.0)
    assert loud.min_us == 50.0
    assert loud.samples == 40


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_impossible_sample_is_refused(bad: float) -> None:
    """No time is zero, negative or not a number."""
    with pytest.raises(ValueError, match="positive number"):
        timing.summarise([100.0, bad], method="events", cold=False)


def test_slope_drops_the_fixed_cost() -> None:
    """Two batches of 10 and 110 calls at 200 us with 5 ms of fixed cost read 200 us a call."""
    assert timing.slope_us(0.007, 10, 0.027, 110) == pytest.approx(200.0)
    with pytest.raises(ValueError, match="second longer"):
        timing.slope_us(0.01, 10, 0.02, 10)


def test_claim_far_below_the_judges_clock_is_refused() -> None:
    """A submission that forges its events to half of what the judge saw is not believed."""
    assert timing.disbelief(120.0, slope=240.0, floor=1.0) is not None
    assert timing.disbelief(230.0, slope=240.0, floor=1.0) is None
    assert timing.disbelief(120.0, slope=None, floor=1.0) is None


def test_short_calls_are_not_held_to_the_judges_clock() -> None:
    """Under 100 us the slope is mostly launch cost, so it says nothing against the events."""
    assert timing.disbelief(8.0, slope=20.0, floor=1.0) is None


def test_time_below_the_roofline_is_refused() -> None:
    """Nothing runs faster than its bytes can be moved."""
    floor = timing.floor_us(4.8e9, 1.0, 4.8e12, 1e15)

    assert floor == pytest.approx(1000.0)
    assert timing.disbelief(900.0, slope=None, floor=floor) is not None
    assert timing.disbelief(960.0, slope=None, floor=floor) is None


def test_floor_is_the_longer_of_bytes_and_operations() -> None:
    """A compute-bound call is held to the peak rate of operations."""
    assert timing.floor_us(1.0, 1e12, 4.8e12, 1e15) == pytest.approx(1000.0)


@pytest.mark.parametrize(
    ("factor", "word"), [(1.0, "SAME"), (0.9, "FASTER"), (1.1, "SLOWER"), (1.01, "UNSURE")]
)
def test_comparison_speaks_of_a_winner_only_beyond_one_per_cent(factor: float, word: str) -> None:
    """The word follows from the whole interval, not from the ratio alone."""
    rng = random.Random(7)
    quads = []
    for _ in range(40):
        drift = 1 + 0.05 * rng.random()
        a1, b1, b2, a2 = (drift * 100 * rng.gauss(1, 0.005) for _ in range(4))
        quads.append((a1, b1 * factor, b2 * factor, a2))

    result = timing.compare(quads)

    assert result.word == word
    assert result.low <= result.ratio <= result.high


def test_a_against_a_is_seldom_called_different() -> None:
    """Of 1,000 synthetic A/A comparisons with 1 % noise at most 5 % name a winner."""
    rng = random.Random(11)
    words = []
    for _ in range(1000):
        quads = [
            (rng.gauss(100, 1), rng.gauss(100, 1), rng.gauss(100, 1), rng.gauss(100, 1))
            for _ in range(20)
        ]
        words.append(timing.compare(quads).word)

    assert sum(word in ("FASTER", "SLOWER") for word in words) <= 50


def test_two_per_cent_slow_down_is_found() -> None:
    """Of 1,000 synthetic comparisons with a 2 % slow-down at least 95 % say SLOWER."""
    rng = random.Random(12)
    found = 0
    for _ in range(1000):
        quads = []
        for _ in range(40):
            a1, b1, b2, a2 = (rng.gauss(100, 1) for _ in range(4))
            quads.append((a1, b1 * 1.02, b2 * 1.02, a2))
        found += timing.compare(quads).word == "SLOWER"

    assert found >= 950


def test_few_pairs_prove_nothing() -> None:
    """Five quads cannot carry a 95 % interval: the word is UNSURE whatever the ratio."""
    assert timing.compare([(100.0, 50.0, 50.0, 100.0)] * 5).word == "UNSURE"
