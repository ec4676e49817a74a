"""Spec and seed in; the cases of a run and their input arrays out.

Bytes depend on (seed, case id, argument, round) alone.  Nothing here knows a right answer or a
backend; a backend says only how many operations it can afford.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping

from judge import expr
from judge import spec as specs
from judge.axes import Sizes, completed
from judge.boundaries import boundaries, cover, menu
from judge.caseids import fits, make_case, parse_id
from judge.content import make as make
from judge.draws import Stream
from judge.mixes import Mixer, all_mix_classes, mix_classes
from judge.model import Case, Spec

__all__ = ["all_classes", "classes", "make", "new_seed", "parse_id", "plan", "smaller", "work"]

CPU_BUDGET = 3e8  # operations of all calls of a plan: about a second of emulated kernels
CALLS = 2  # of each case
BYTE_COST = 32  # operations: drawing, copying and checking a byte takes 30 to 40 ns
TYPICAL = 60  # cases in a plan: what shares the budget

Cost = Callable[[Mapping[str, int]], int]


def new_seed() -> str:
    """A seed nobody can guess, 16 hexadecimal digits."""
    return secrets.token_hex(8)


def work(spec: Spec, case: Case) -> float:
    """Operations of one call of a case; of a challenge, which does not say, the bytes it has."""
    if spec.challenge is not None:
        return float(specs.array_bytes(spec, case.sizes))
    return float(expr.sizes(spec.work, case.sizes))


# --------------------------------------------------------------------------------------------------
# The plan


def plan(spec: Spec, seed: str, budget: float = CPU_BUDGET) -> tuple[Case, ...]:
    """The cases of a run: the spec's fixed ones, the boundaries, then drawn ones.

    budget: operations of all calls together.  It makes drawn cases smaller and fewer; fixed cases
    and boundary classes are always there.  A challenge brings its own, whatever they cost.
    """
    if spec.challenge is not None:
        return spec.challenge.cases
    stream = Stream(seed, "plan", spec.slug)
    mixer = Mixer(spec, stream)
    cost = _cost(spec)
    cases: dict[str, Case] = {}
    for fixed in spec.fixed:
        case = make_case(spec, fixed.family, fixed.sizes, fixed.scalars, fixed.why)
        cases[case.id] = mixer.seen(case)

    missing = [
        boundary
        for boundary in boundaries(spec)
        if not any(boundary.holds(case.sizes) for case in cases.values())
    ]
    for sizes, why in cover(spec, missing, cost, budget / CALLS / TYPICAL, stream):
        if fits(spec, sizes):
            case = mixer.plain(sizes, why)
            cases.setdefault(case.id, case)
    left = budget - CALLS * sum(cost(case.sizes) for case in cases.values())
    for to_draw in range(spec.drawn, 0, -1):
        drawn = _drawn(spec, cost, min(left / to_draw, budget / 16) / CALLS, stream)
        if drawn is not None:
            case = mixer.any(drawn, "drawn at random")
            cases.setdefault(case.id, case)
            left -= CALLS * cost(drawn)
    for family, scalars in mixer.missing():
        case = make_case(spec, family, _small(spec, family), scalars, "a mix not seen yet")
        cases.setdefault(case.id, mixer.seen(case))
    return tuple(cases.values())


def classes(case: Case, spec: Spec) -> set[str]:
    """The names of all classes a case is in: boundaries, family, scalar values and their pairs."""
    return {b.name for b in boundaries(spec) if b.holds(case.sizes)} | mix_classes(case)


def all_classes(spec: Spec) -> set[str]:
    """The names of all classes; a plan has a case in each."""
    return {boundary.name for boundary in boundaries(spec)} | all_mix_classes(spec)


def _cost(spec: Spec) -> Cost:
    """Operations that a call takes, the judge's own for each byte of the arrays among them.

    Kernels work on whole tiles, so sizes round up to the least.
    """
    tile = spec.tiles[0]

    def cost(sizes: Mapping[str, int]) -> int:
        rounded = {
            axis.name: min(-(-sizes[axis.name] // tile) * tile, axis.maximum)
            for axis in spec.drawn_axes
        }
        try:
            whole, own = completed(spec.axes, rounded), completed(spec.axes, sizes)
            operations = max(expr.sizes(spec.work, whole), expr.sizes(spec.work, own))
            return operations + BYTE_COST * specs.array_bytes(spec, own)
        except expr.ExpressionError:  # of sizes that no case has
            return expr.MAX_INTEGER

    return cost


def _drawn(spec: Spec, cost: Cost, cap: float, stream: Stream) -> Sizes | None:
    """Random sizes of at most this cost, if any: 60 % boundary, 30 % log-uniform, 10 % round."""
    sizes: Sizes = {}
    for axis in spec.drawn_axes:
        kind = stream.below(10)
        if kind < 6:
            size = stream.choice(menu(axis, spec.tiles))
        elif kind < 9:  # uniform below a power of two that is itself drawn
            power = stream.below(max(1, axis.maximum.bit_length()))
            size = 2**power + stream.below(2**power)
        else:
            size = stream.choice(spec.tiles) * (1 + stream.below(8))
        sizes[axis.name] = min(max(size, axis.minimum), axis.maximum)
    floor = {axis.name: axis.minimum for axis in spec.drawn_axes}
    settled = specs.settled(spec, sizes)
    while settled is not None and (cost(settled) > cap or not fits(spec, settled)):
        # halve the axis with the most to give
        sizes = {name: settled[name] for name in floor}
        longest = max(sizes, key=lambda name: sizes[name] / max(floor[name], 1))
        if sizes[longest] == floor[longest]:
            return None
        sizes[longest] = max(floor[longest], sizes[longest] // 2)
        settled = specs.settled(spec, sizes, most=sizes)
    return settled


def _small(spec: Spec, family: str) -> Sizes:
    """Small unequal sizes that a family allows."""
    bounds = specs.ranges(spec, family).values()
    sizes = {
        axis.name: max(axis.minimum, min(axis.maximum, 5 + number))
        for number, axis in enumerate(bounds)
    }
    return specs.settled(spec, sizes, family) or specs.small(spec, family) or sizes


# --------------------------------------------------------------------------------------------------
# Smaller cases


def smaller(spec: Spec, case: Case) -> Iterator[Case]:
    """Cases to try in place of a failing one, the boldest first; each is simpler than it.

    All sizes halved, each size at its least, then less by a half, a quarter, an eighth and so on
    down to one, so that the limit of a condition is found in few tries; then each scalar at its
    first, simplest value.  The family stays, as another one would be another bug.  None for a
    challenge, which has no other cases than its own.
    """
    if spec.challenge is not None:
        return
    bounds = specs.ranges(spec, case.family)
    sizes = {name: case.sizes[name] for name in bounds}
    least = {name: axis.minimum for name, axis in bounds.items()}
    tried = [{name: max(least[name], n // 2) for name, n in sizes.items()}]
    longest_first = sorted(sizes, key=lambda name: -sizes[name])
    tried += [{**sizes, name: least[name]} for name in longest_first]
    for power in range(1, max(sizes.values()).bit_length() + 1):
        for name in longest_first:
            less = sizes[name] - (sizes[name] >> power or 1)
            tried.append({**sizes, name: max(least[name], less)})
    seen = [case.sizes]
    for candidate in tried:
        settled = specs.settled(spec, candidate, case.family, most=sizes)
        if settled is not None and settled not in seen and fits(spec, settled):
            seen.append(settled)
            yield make_case(spec, case.family, settled, case.scalars, "smaller")
    for scalar in spec.scalars:
        simplest = specs.values(spec, case.family, scalar.name)[0]
        if case.scalars[scalar.name] != simplest:
            scalars = {**case.scalars, scalar.name: simplest}
            yield make_case(spec, case.family, sizes, scalars, "simpler")
