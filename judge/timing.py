"""From samples to a time that can be believed.  Pure: no GPU, no clock, no randomness.

In come samples in microseconds, out come Timing, SpeedRatio and sentences; how a sample is taken is
the business of the GPU backend.  Method: the median with a distribution-free interval from order
statistics, so that no shape of the noise is assumed.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from judge.counted import counted
from judge.model import SpeedRatio, Timing

CONFIDENCE = 0.95
# The stop rule: half the interval is at most this part of the median, or this many microseconds.
RELATIVE_HALF_WIDTH = 0.005
ABSOLUTE_HALF_WIDTH_US = 0.5
MIN_SAMPLES = 20
MIN_TOTAL_US = 100_000.0
# A call of a few us would need ten thousand samples for that; this many are as good.
MANY_SAMPLES = 1000
# Two times closer than this are the same to anybody.
SAME_RATIO = 0.01
# The in-process clock may read at most this much below the judge's own, for calls over 100 us.
CLAIM_RATIO = 0.8
CLAIM_FROM_US = 100.0
# A time this far below what the device can do at best is not believed.
PHYSICS_RATIO = 0.95


@dataclass(frozen=True)
class Outside:
    """Microseconds a call by the judge's own clock, and how many may be noise of the messages."""

    us: float
    noise_us: float


def interval_ranks(n: int, confidence: float = CONFIDENCE) -> tuple[int, int]:
    """Ranks (0-based, both included) of the order statistics that enclose the median.

    P(x[low] <= median <= x[high]) >= confidence for independent samples of any continuous
    distribution, since the number of samples below the median is binomial(n, 1/2).  Fewer than six
    samples cannot reach 95 %: their extremes are returned.
    Source: Hahn and Meeker, Statistical Intervals, sec. 5.2.
    Raises: ValueError if n < 1.
    """
    if n < 1:
        raise ValueError("no samples")
    tail, cumulative, low = (1.0 - confidence) / 2, 0.0, 0
    for k in range(n // 2):
        cumulative += math.exp(_log_choose(n, k) - n * math.log(2))
        if cumulative > tail:
            break
        low = k
    return low, n - 1 - low


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def median_interval(samples: Sequence[float]) -> tuple[float, float, float]:
    """The median and the ends of its 95 % interval, in the samples' unit."""
    ordered = sorted(samples)
    low, high = interval_ranks(len(ordered))
    return statistics.median(ordered), ordered[low], ordered[high]


def narrow(median_us: float, low_us: float, high_us: float) -> bool:
    """Whether an interval is as narrow as the stop rule asks."""
    limit = max(RELATIVE_HALF_WIDTH * median_us, ABSOLUTE_HALF_WIDTH_US)
    return (high_us - low_us) / 2 <= limit


def enough(samples_us: Sequence[float]) -> bool:
    """The stop rule: enough samples, enough time on the device, and a narrow interval."""
    if len(samples_us) < MIN_SAMPLES:
        return False
    if sum(samples_us) < MIN_TOTAL_US and len(samples_us) < MANY_SAMPLES:
        return False
    return narrow(*median_interval(samples_us))


def summarise(samples_us: Sequence[float], *, method: str, cold: bool) -> Timing:
    """A Timing of these samples; `noisy` where the interval is wider than the rule asks.

    Raises: ValueError if there is no sample, or one that is not a positive finite number.
    """
    for sample in samples_us:
        if not (math.isfinite(sample) and sample > 0):
            raise ValueError(f"sample {sample!r}: expected a positive number of microseconds")
    median, low, high = median_interval(samples_us)
    deviation = statistics.stdev(samples_us) if len(samples_us) > 1 else 0.0
    return Timing(
        median_us=median,
        low_us=low,
        high_us=high,
        min_us=min(samples_us),
        samples=len(samples_us),
        noise=deviation / statistics.fmean(samples_us),
        noisy=len(samples_us) < MIN_SAMPLES or not narrow(median, low, high),
        method=method,
        cold=cold,
    )


def slope_us(short_s: float, short_calls: int, long_s: float, long_calls: int) -> float:
    """Microseconds a call by the judge's own clock: what more calls took more.

    The fixed cost of a batch (pipe, synchronise) falls out of the difference.
    Raises: ValueError if the second batch is not longer.
    """
    if long_calls <= short_calls:
        raise ValueError(
            f"batches of {short_calls} and {counted(long_calls, 'call')}: expected the second "
            "longer"
        )
    return (long_s - short_s) / (long_calls - short_calls) * 1e6


def floor_us(bytes_: float, operations: float, bytes_per_s: float, per_s: float) -> float:
    """The roofline's floor: the longer of moving the bytes and doing the operations (`per_s`)."""
    return max(bytes_ / bytes_per_s, operations / per_s) * 1e6


def disbelief(
    time_us: float, *, slope: float | None, floor: float, new: Outside | None = None
) -> str | None:
    """Why a claimed time is not believed, or None.

    slope: us a call by the judge's own clock, or None where it was not measured
    floor: us this device needs at best for the bytes and operations of the call
    new:   a call by that clock on inputs that the process had not seen, or None: a series of calls
           on the same inputs may be cut short by who remembers the results
    """
    if time_us < PHYSICS_RATIO * floor:
        return (
            f"{time_us:.4g} us is less than this device needs at best: "
            f"{floor:.4g} us for the bytes and operations of the call"
        )
    if slope is not None and slope > CLAIM_FROM_US and time_us < CLAIM_RATIO * slope:
        return (
            f"{time_us:.4g} us was measured in the submission's process, "
            f"but the judge's own clock saw {slope:.4g} us a call"
        )
    if new is not None and time_us < CLAIM_RATIO * (new.us - new.noise_us):
        return (
            f"{time_us:.4g} us was measured in the submission's process, but on inputs that were "
            f"new to it the judge's own clock saw {new.us:.4g} us a call"
        )
    return None


def compare(quads: Sequence[tuple[float, float, float, float]]) -> SpeedRatio:
    """Two submissions from samples taken in the order A B B A, so that a drift hits both alike.

    Each quad gives one ratio (b1 + b2) / (a1 + a2).  The word follows from the interval of their
    median: a winner only if it lies beyond 1 +- 1 %, SAME only if it lies within, else UNSURE.
    """
    ratios = [(b1 + b2) / (a1 + a2) for a1, b1, b2, a2 in quads]
    ratio, low, high = median_interval(ratios)
    if len(ratios) < 6:
        word = "UNSURE"
    elif high < 1 - SAME_RATIO:
        word = "FASTER"
    elif low > 1 + SAME_RATIO:
        word = "SLOWER"
    elif low >= 1 - SAME_RATIO and high <= 1 + SAME_RATIO:
        word = "SAME"
    else:
        word = "UNSURE"
    return SpeedRatio(word=word, ratio=ratio, low=low, high=high, pairs=len(ratios))
