"""Which input family and which scalar values each case of a plan gets.

Families take turns by weight, among those that allow the sizes; the values of the scalars are
walked through.  A scalar of 0 may hide a whole term (alpha = 0 hides A and B), so a boundary case
takes 0 only where it is the first, plain value of its scalar.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from judge import spec as specs
from judge.caseids import make_case
from judge.draws import Stream
from judge.model import Case, Spec

MAX_MIXES = 256  # combinations of scalar values that are walked through
Mix = dict[str, float]
Values = tuple[tuple[float, ...], ...]


class Mixer:
    """Takes sizes, gives cases; remembers whose turn it is and which classes were seen."""

    def __init__(self, spec: Spec, stream: Stream) -> None:
        self._spec, self._stream = spec, stream
        self._families = stream.shuffled([f.name for f in spec.families if f.weight])
        self._used = dict.fromkeys((family.name for family in spec.families), 0)
        self._walks: dict[Values, Iterator[tuple[float, ...]]] = {}
        self._seen: set[str] = set()

    def seen(self, case: Case) -> Case:
        """Note a case made elsewhere."""
        self._used[case.family] += 1
        self._seen |= mix_classes(case)
        return case

    def plain(self, sizes: Mapping[str, int], why: str) -> Case:
        """The next case at these sizes that hides no term."""
        family = self._next_family(sizes)
        return self._case(family, sizes, why, [v[:1] + _nonzero(v[1:]) for v in self._of(family)])

    def any(self, sizes: Mapping[str, int], why: str) -> Case:
        """The next case at these sizes, with any values of the scalars."""
        family = self._next_family(sizes)
        return self._case(family, sizes, why, self._of(family))

    def missing(self) -> Iterator[tuple[str, Mix]]:
        """Families and scalars that add a class not seen yet, while there is one."""
        names = [scalar.name for scalar in self._spec.scalars]
        for family in self._families:
            for values in _combinations(self._of(family)):
                mix = dict(zip(names, values, strict=True))
                if not _mix_classes(family, mix) <= self._seen:
                    yield family, mix

    def _of(self, family: str) -> list[tuple[float, ...]]:
        return [specs.values(self._spec, family, s.name) for s in self._spec.scalars]

    def _case(
        self, family: str, sizes: Mapping[str, int], why: str, allowed: list[tuple[float, ...]]
    ) -> Case:
        """The next combination of `allowed`; families that allow the same share one walk."""
        key = tuple(allowed)
        if key not in self._walks:
            self._walks[key] = itertools.cycle(self._stream.shuffled(_combinations(allowed)))
        names = [scalar.name for scalar in self._spec.scalars]
        mix = dict(zip(names, next(self._walks[key]), strict=True))
        return self.seen(make_case(self._spec, family, sizes, mix, why))

    def _next_family(self, sizes: Mapping[str, int]) -> str:
        """The family whose share is least fulfilled (D'Hondt's method)."""

        def fits(family: str) -> bool:
            bounds = specs.ranges(self._spec, family)
            return all(one.minimum <= sizes[a] <= one.maximum for a, one in bounds.items())

        fitting = [family for family in self._families if fits(family)]
        return max(fitting, key=lambda f: self._spec.family(f).weight / (self._used[f] + 1))


def _nonzero(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(value for value in values if value != 0)


def _combinations(allowed: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Combinations of values: enough for each value and each pair of a few scalars."""
    longest = max(map(len, allowed), default=1)
    each = [tuple(values[n % len(values)] for values in allowed) for n in range(longest)]
    some = itertools.islice(itertools.product(*allowed), MAX_MIXES)
    return list(dict.fromkeys([*each, *some]))


# --------------------------------------------------------------------------------------------------
# Classes of mixes


def mix_classes(case: Case) -> set[str]:
    """The classes that a case's family and scalars put it in: `family wide`, `alpha=0,beta=1`."""
    return _mix_classes(case.family, case.scalars)


def _mix_classes(family: str, scalars: Mapping[str, float]) -> set[str]:
    plain = [f"{name}={value:g}" for name, value in scalars.items() if value in (0, 1)]
    each = {f"{name}={value:g}" for name, value in scalars.items()}
    return {f"family {family}", *each, *map(",".join, itertools.combinations(plain, 2))}


def all_mix_classes(spec: Spec) -> set[str]:
    """Every class of families and scalars that a plan reaches."""
    found = {f"family {case.family}" for case in spec.fixed}
    for family in spec.families:
        if family.weight:
            allowed = [specs.values(spec, family.name, s.name) for s in spec.scalars]
            for values in _combinations(allowed):
                names = [scalar.name for scalar in spec.scalars]
                found |= _mix_classes(family.name, dict(zip(names, values, strict=True)))
    return found
