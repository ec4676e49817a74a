"""Is a problem.yaml strong enough?  Its cases, its tolerance, its timed sizes and its formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge import cases, expr, gauge, paths
from judge import spec as specs
from judge.model import Case, Flaw, Role, Spec

SEED = "0"
SMALL = (1, 2, 3)
WIDTHS = (4, 16, 32)
GAUGE_WORK = 2e6  # operations of a case the gauge is shown; most mistakes show on small ones
# A time means something where the device is full: the least time that a call can take, by the bytes
# and operations of the spec on a device of today, is well above what a launch costs.
FULL_US = 20.0
BYTES_PER_US, OPERATIONS_PER_US = 4.8e6, 6e7  # 4.8 TB/s and 60 TFLOP/s without tensor cores: H200


def flaws(spec: Spec) -> Iterator[Flaw]:
    """All of them."""
    planned = cases.plan(spec, SEED)
    yield from sizes(spec, planned)
    yield from timed(spec)
    yield from formulas(spec, planned)
    yield from refusals(spec, gauged(spec, planned))


def gauged(spec: Spec, planned: tuple[Case, ...]) -> tuple[Case, ...]:
    """The cases that a gauge of all problems has time for: each fixed one, and the cheap others."""
    fixed = planned[: len(spec.fixed)]
    others = [case for case in planned[len(fixed) :] if cases.work(spec, case) <= GAUGE_WORK]
    return (*fixed, *others)


def sizes(spec: Spec, planned: tuple[Case, ...]) -> Iterator[Flaw]:
    """The sizes that mistakes need to show: 1, 2, 3, and more than a vector or warp with a tail."""
    for axis in spec.drawn_axes:
        seen = {case.sizes[axis.name] for case in planned}
        for size in SMALL:
            if size == 1 < axis.minimum and not _explained(spec, axis.name):
                yield _flaw(
                    spec, f"axes.{axis.name}.min", str(axis.minimum), "1, or a reason in a comment"
                )
            elif axis.minimum <= size <= axis.maximum and size not in seen:
                yield _flaw(spec, "cases", f"none with {axis.name} = {size}", "one")
        for width in WIDTHS:
            ragged = any(size > width and size % width for size in seen)
            if axis.maximum > width + 1 and not ragged:
                what = f"none with {axis.name} beyond {width} and no multiple of it"
                yield _flaw(spec, "cases", what, "one")


def _explained(spec: Spec, axis: str) -> bool:
    """Whether a comment stands behind the axis."""
    lines = spec.path.read_text(encoding="utf-8").splitlines()
    return any(re.match(rf"\s+{axis}:[^#]*#\s*\S", line) for line in lines)


def timed(spec: Spec) -> Iterator[Flaw]:
    """Timed sizes: at least one fills a GPU, and one has a tail."""
    if not spec.timed:
        yield _flaw(spec, "timed", "no sizes", "some whose time is reported on a GPU")
        return
    floors = [
        max(
            expr.sizes(spec.bytes, sizes) / BYTES_PER_US,
            expr.sizes(spec.work, sizes) / OPERATIONS_PER_US,
        )
        for sizes in spec.timed
    ]
    if max(floors) < FULL_US:
        yield _flaw(
            spec,
            "timed",
            f"calls that a GPU can do in {max(floors):.3g} us",
            f"one of {FULL_US:g} us or more at {BYTES_PER_US * 1e-6:g} TB/s and "
            f"{OPERATIONS_PER_US * 1e-6:g} TFLOP/s",
            "make a size larger",
        )
    tile = spec.tiles[-1]
    long = [axis.name for axis in spec.drawn_axes if axis.maximum > tile]
    if long and not any(any(sizes[name] % tile for name in long) for sizes in spec.timed):
        yield _flaw(
            spec, "timed", f"multiples of {tile} only", "a ragged size too", "add one beside it"
        )


def formulas(spec: Spec, planned: tuple[Case, ...]) -> Iterator[Flaw]:
    """work and bytes are numbers that a call can have."""
    at = [case.sizes for case in planned] + list(spec.timed)
    for case in at:
        work, moved = expr.sizes(spec.work, case), expr.sizes(spec.bytes, case)
        twice = {one.name: 1 + (one.role is Role.INOUT) for one in spec.arrays}
        most = sum(
            twice[one.name] * specs.elements(one, case) * one.dtype.itemsize for one in spec.arrays
        )
        shown = ", ".join(f"{name} = {size}" for name, size in case.items())
        if work < 1:
            yield _flaw(spec, "work", f"{work} at {shown}", "1 or more")
            return
        if not 0 < moved <= most:
            text = f"1 to {most}, all arrays once and inout twice"
            yield _flaw(spec, "bytes", f"{moved} at {shown}", text)
            return


def refusals(spec: Spec, chosen: tuple[Case, ...]) -> Iterator[Flaw]:
    """What the gauge finds."""
    step = f"see make gauge PROBLEM={spec.slug}"
    for sentence in gauge.verdicts(gauge.gauge(spec, chosen, SEED)):
        yield _flaw(spec, "tolerance", sentence, "it to tell right from wrong", step)


def _flaw(spec: Spec, what: str, got: str, expected: str, step: str = "mend it there") -> Flaw:
    return Flaw(paths.shown(spec.path), what, got, expected, step)
