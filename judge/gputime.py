"""Take the time of one case on a GPU: the protocol, as calls in order.

    stage     distinct contents at many addresses, so that two in a row never share a cache line
    warm up   until clocks and caches are what they will be; outputs checked
    sample    fresh poison, flush, one timed call, check: until the stop rule is content
    new       calls on contents that the worker has not seen, by the judge's own clock from outside
    slope     batches by that clock, outputs checked
    doubt     hold the claimed time against all of these and the roofline

Every timed call is a checked call: a wrong element in any sample is a fault, and then there is no
time.  The caller has judged the submission right before it comes here.
"""

from __future__ import annotations

import functools
import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from judge import cases, elements, expr, reference, timing
from judge import spec as specs
from judge.gpukept import Content
from judge.gpustage import Stage
from judge.model import Case, Init, Role, Spec, TimedCase, Timing

WARM_UP_CALLS = 3
WARM_UP_SECONDS = 0.2
WARM_UP_LIMIT_SECONDS = 2.0
WARM_UP_MOST_CALLS = 2000
SAMPLE_LIMIT_SECONDS = 10.0
OVERHEAD_SAMPLES = 100
# The slope: one batch long enough to be above the pipe's jitter, one several times longer.
SHORT_BATCH_SECONDS, LONG_BATCH_SECONDS = 0.02, 0.1
SLOPE_REPEATS = 3
DISTINCT = 3
_CHEAP_WORK = 2e10
"""Operations of a case whose right answers cost a tenth of a second."""
_MAKING_BYTES = 32
"""Taken for each element of the arrays of a content while it is made: three float64, and a bit."""


def contents(spec: Spec, case: Case, seed: str) -> tuple[list[Content], list[Content]]:
    """Distinct contents for one case, rounds past those of the functional calls; and further ones,
    kept from the worker until it is timed on them.

    There are more of these where they are cheap, since what a message costs is shared among them.
    Nobody knows what a challenge's answers cost.
    """
    cheap = spec.challenge is None and cases.work(spec, case) <= _CHEAP_WORK
    rounds = range(2, 2 + DISTINCT + (6 if cheap else 2))
    with ThreadPoolExecutor(side_by_side(spec, case, len(rounds))) as pool:
        made = list(pool.map(functools.partial(_content, spec, case, seed), rounds))
    return made[:DISTINCT], made[DISTINCT:]


def side_by_side(spec: Spec, case: Case, count: int) -> int:
    """How many of `count` contents of a case are made at once: within half of the memory.

    Most of that is numpy going through arrays with one thread.  A challenge answers in turn.
    """
    if spec.challenge is not None:
        return 1
    total = sum(math.prod(specs.shape(one, case.sizes)) for one in spec.arrays)
    installed = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    fit = installed // 2 // max(1, total * _MAKING_BYTES)
    return max(1, min(count, os.cpu_count() or 1, fit))


def _content(spec: Spec, case: Case, seed: str, round_: int) -> Content:
    data = cases.make(spec, case, seed, round_)
    return Content(data, dict(reference.expected(spec, data)))


def repeatable(spec: Spec, content: Content) -> bool:
    """Whether calling again on what the first call left has the same right answer (beta = 0).

    Not where an output begins as zeros: a submission may add to it.
    """
    if any(one.role is Role.OUT and one.init is Init.ZERO for one in spec.outputs):
        return False
    left = {
        name: elements.encode(content.expected[name].value, spec.argument(name).dtype)
        for name in content.expected
        if name in content.data.arrays
    }
    again = replace(content.data, arrays={**content.data.arrays, **left})
    expected = reference.expected(spec, again)
    return all(np.array_equal(expected[n].value, content.expected[n].value) for n in left)


def time_case(
    spec: Spec, case: Case, stage: Stage, floor_us: float, tell: Callable[[str], None]
) -> TimedCase:
    """The time of one case whose contents are staged.  Raises CallFault, JudgeError."""
    tell(f"{case.id}: warm up")
    gated = _warm_up(stage)
    overhead = timing.median_interval(
        [stage.sample(n, cold=False, gated=gated, nothing=True)[0] for n in range(OVERHEAD_SAMPLES)]
    )[0]
    tell(f"{case.id}: cold samples")
    cold = _series(stage, gated, cold=True)
    tell(f"{case.id}: warm samples")
    warm = _series(stage, gated, cold=False)
    tell(f"{case.id}: the judge's own clock")
    new = stage.new_time(cold.median_us)
    slope = None
    # Not by what is claimed alone: who forges a time would choose one that is not looked into.
    longer = max(cold.median_us, new.us if new else 0.0)
    if longer > timing.CLAIM_FROM_US:
        slope = _slope(stage, longer)
    stage.check_surroundings()
    return TimedCase(
        sizes=case.sizes,
        cold=cold,
        warm=warm,
        slope_us=slope,
        overhead_us=overhead,
        operations=float(expr.sizes(spec.work, case.sizes)),
        bytes=float(expr.sizes(spec.bytes, case.sizes)),
        floor_us=floor_us,
        doubt=timing.disbelief(min(cold.min_us, warm.median_us), slope=None, floor=floor_us)
        or timing.disbelief(cold.median_us, slope=slope, floor=floor_us, new=new)
        or "",
    )


def _warm_up(stage: Stage) -> bool:
    """Bring caches and clocks up; whether samples can be gated."""
    started = time.perf_counter()
    gated = True
    for number in range(WARM_UP_CALLS):
        _, method = stage.sample(number, cold=False, gated=gated)
        gated = gated and method != ""
        stage.check(number)
    # Many calls a message, else the device would be idle between short ones; and by the judge's
    # clock, as who claims to be fast would warm up for long.
    calls, warmed = WARM_UP_CALLS, 0.0
    while warmed < WARM_UP_SECONDS and time.perf_counter() - started < WARM_UP_LIMIT_SECONDS:
        took = stage.batch(calls, min(calls, len(stage)))
        warmed += took
        if took < WARM_UP_SECONDS / 4:
            calls = min(2 * calls, WARM_UP_MOST_CALLS)
    return gated


def _series(stage: Stage, gated: bool, *, cold: bool) -> Timing:
    """Samples until there are enough, or time is up: never without a number."""
    samples: list[float] = []
    methods: dict[str, None] = {}
    started = time.perf_counter()
    number = 0
    while True:
        for us, method in stage.samples(number, cold=cold, gated=gated):
            number += 1
            if method:  # else the gate gave up: the call waits for the device in its own way
                samples.append(us)
                methods[method] = None
            else:
                gated = False
        if timing.enough(samples):
            break
        if samples and time.perf_counter() - started > SAMPLE_LIMIT_SECONDS:
            break
    return timing.summarise(samples, method=" and ".join(methods), cold=cold)


def _slope(stage: Stage, median_us: float) -> float:
    """Microseconds a call by the judge's clock, from outside the submission's process."""
    short = max(3, round(SHORT_BATCH_SECONDS * 1e6 / median_us))
    long = max(short * 3, round(LONG_BATCH_SECONDS * 1e6 / median_us))
    among = min(short, len(stage))
    slopes = []
    for _ in range(SLOPE_REPEATS):
        short_s, long_s = stage.batch(short, among), stage.batch(long, among)
        slopes.append(timing.slope_us(short_s, short, long_s, long))
    return timing.median_interval(slopes)[0]
