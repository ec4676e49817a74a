"""What the failing cases of a run have in common, that the passing ones have not.

In come the results of a run, out come at most three true sentences about sizes, scalars and
families, the sharpest first.  A sentence that would often hold by chance is not said.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from judge.counted import counted
from judge.model import Case, CaseResult, Spec

MOST = 3
# How likely it may be that some sentence fits cases that failed at random.
CHANCE = 0.05
# Vector loads and warps, beside the tiles of the spec.
_WIDTHS = (2, 4, 8, 32)


@dataclass(frozen=True)
class _Condition:
    """Words that follow `fails when `, and for which of the cases they hold (one bit each)."""

    words: str
    holds: int


def patterns(results: Sequence[CaseResult], spec: Spec) -> tuple[str, ...]:
    """Sentences such as `fails exactly when K is not a multiple of 16 (12 of 50 cases)`.

    Empty where all cases passed.
    """
    cases = [result.case for result in results]
    failed = sum(1 << i for i, result in enumerate(results) if result.fault is not None)
    n, f = len(cases), failed.bit_count()
    if f == 0:
        return ()
    if f == n:
        return (f"fails in all {counted(n, 'case')}",) if n > 1 else ()
    singles = list(_singles(cases, spec))
    conditions = [*singles, *_either(cases, spec), *_both(singles, spec)]
    limit = CHANCE / len(conditions)
    exact = [c for c in conditions if c.holds == failed]
    if exact and 1 / math.comb(n, f) <= limit:
        return (f"fails exactly when {exact[0].words} ({f} of {counted(n, 'case')})",)
    said: list[tuple[float, str]] = []
    for condition in conditions:
        held = condition.holds.bit_count()
        if held and failed & condition.holds == failed:
            chance = math.comb(held, f) / math.comb(n, f)
            words = f"fails only when {condition.words} ({f} of the {counted(held, 'such case')})"
        elif held and failed & condition.holds == condition.holds:
            chance = math.comb(n - held, f - held) / math.comb(n, f)
            words = f"fails whenever {condition.words} ({held} of the {counted(f, 'failing case')})"
        else:
            continue
        if chance <= limit:
            said.append((chance, words))
    said.sort(key=lambda item: item[0])
    count = f"fails in {f} of {counted(n, 'case')}"
    return (count, *_sharpest(said))[:MOST]


def _sharpest(said: Sequence[tuple[float, str]]) -> Iterator[str]:
    """The best sentence of each kind: one bounds the failures from outside, one from inside."""
    for kind in ("fails only", "fails whenever"):
        yield from itertools.islice((words for _, words in said if words.startswith(kind)), 1)


def _condition(words: str, holds: Iterable[bool]) -> _Condition:
    return _Condition(words, sum(1 << i for i, held in enumerate(holds) if held))


def _singles(cases: Sequence[Case], spec: Spec) -> Iterator[_Condition]:
    """One size, one scalar, two sizes compared, or the family."""
    names = [axis.name for axis in spec.axes]
    for scalar in spec.scalars:
        for value in sorted({case.scalars[scalar.name] for case in cases}):
            equal = [case.scalars[scalar.name] == value for case in cases]
            yield _condition(f"{scalar.name} = {value:g}", equal)
            yield _condition(f"{scalar.name} != {value:g}", (not e for e in equal))
    for name in names:
        for tile in _multiples(spec):
            whole = [case.sizes[name] % tile == 0 for case in cases]
            yield _condition(f"{name} is not a multiple of {tile}", (not w for w in whole))
            yield _condition(f"{name} is a multiple of {tile}", whole)
    for a, b in itertools.permutations(names, 2):
        yield _condition(f"{a} > {b}", (c.sizes[a] > c.sizes[b] for c in cases))
    for a, b in itertools.combinations(names, 2):
        yield _condition(f"{a} != {b}", (c.sizes[a] != c.sizes[b] for c in cases))
    for name in names:
        for size in sorted({case.sizes[name] for case in cases})[1:]:
            yield _condition(f"{name} >= {size}", (c.sizes[name] >= size for c in cases))
            yield _condition(f"{name} < {size}", (c.sizes[name] < size for c in cases))
    for family in sorted({case.family for case in cases}):
        yield _condition(f"the inputs are {family}", (c.family == family for c in cases))


def _multiples(spec: Spec) -> tuple[int, ...]:
    """Divisors worth a look, tiles first: of two that say the same the tile is the better word."""
    return (*spec.tiles, *(width for width in _WIDTHS if width not in spec.tiles))


def _either(cases: Sequence[Case], spec: Spec) -> Iterator[_Condition]:
    """One of several sizes is ragged."""
    names = [axis.name for axis in spec.axes]
    for count in range(2, len(names) + 1):
        for chosen in itertools.combinations(names, count):
            for tile in spec.tiles:
                words = f"{' or '.join(chosen)} is not a multiple of {tile}"
                ragged = (any(c.sizes[name] % tile for name in chosen) for c in cases)
                yield _condition(words, ragged)


def _both(singles: Sequence[_Condition], spec: Spec) -> Iterator[_Condition]:
    """A ragged size together with a scalar."""
    scalars = tuple(f"{scalar.name} " for scalar in spec.scalars)
    for a in singles:
        for b in singles:
            if " not a multiple of " in a.words and b.words.startswith(scalars) and scalars:
                yield _Condition(f"{a.words} and {b.words}", a.holds & b.holds)
