"""Size axes that hang together: some computed from others, some tied by comparisons.

In come axes, requirements and sizes; out come sizes that all requirements hold for.  Two ways:
`Allowed` for sizes of a menu, where every class of them must be reached, and `settle` for any
sizes, changed as little as it takes.  Both are deterministic and give up after a bounded search.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from judge import conditions, expr
from judge.model import Array, Axis

Sizes = dict[str, int]
Options = Mapping[str, Sequence[int]]
Bounds = Mapping[str, "tuple[int, int]"]

MAX_TABLE = 20_000  # combinations of sizes that a requirement is tried on
MAX_TRIES = 2_000  # combinations that a search looks at


def completed(axes: Sequence[Axis], sizes: Mapping[str, int]) -> Sizes:
    """The sizes of all axes, in their order, from those that are drawn.

    Raises ExpressionError where one cannot be computed, or is negative.
    """
    found: Sizes = {}
    for axis in axes:
        found[axis.name] = expr.sizes(axis.equals, found) if axis.equals else sizes[axis.name]
        if not 0 <= found[axis.name] < 2**31:
            raise expr.ExpressionError(f"got {axis.name} = {found[axis.name]}, expected 0 to 2**31")
    return found


def broken(axes: Sequence[Axis], require: Sequence[str], sizes: Mapping[str, int]) -> str:
    """The first requirement that does not hold for these drawn sizes; empty where all do."""
    try:
        known = completed(axes, sizes)
        return next((text for text in require if not conditions.holds(text, known)), "")
    except expr.ExpressionError as error:
        return str(error)


def needed(axes: Sequence[Axis], text: str) -> tuple[str, ...]:
    """The drawn axes that an expression hangs on, through computed ones too."""
    computed = {axis.name: axis.equals for axis in axes if axis.equals}
    names, left = set(), list(conditions.names(text))
    while left:
        name = left.pop()
        if name in computed:
            left += conditions.names(computed[name])
        else:
            names.add(name)
    return tuple(axis.name for axis in axes if axis.name in names)


# --------------------------------------------------------------------------------------------------
# Sizes of a menu


class Allowed:
    """Which sizes of a menu go together.  Options are sizes of the menu for some axes."""

    def __init__(self, axes: Sequence[Axis], require: Sequence[str], menus: Options) -> None:
        self._menus = {name: tuple(sizes) for name, sizes in menus.items()}
        self._tables = [
            _table(tuple(axes), text, tuple((n, self._menus[n]) for n in needed(axes, text)))
            for text in require
        ]

    def narrowed(self, options: Options) -> dict[str, list[int]] | None:
        """The options of all axes without those that nothing goes with; None if none is left.

        Each size left has a partner in every requirement; whether all go together, `some` tells.
        """
        left = {name: list(options.get(name, menu)) for name, menu in self._menus.items()}
        changed = True
        while changed and all(left.values()):
            changed = False
            for names, menus, table in self._tables:
                at = [[menus[n].index(s) for s in left[n] if s in menus[n]] for n in names]
                part = table[np.ix_(*at)]
                for dimension, name in enumerate(names):
                    others = tuple(d for d in range(len(names)) if d != dimension)
                    fine = np.atleast_1d(part.any(axis=others)).tolist()
                    kept = [menus[name][i] for i in itertools.compress(at[dimension], fine)]
                    changed = changed or len(kept) < len(left[name])
                    left[name] = kept
        return left if all(left.values()) else None

    def some(self, options: Options) -> Sizes | None:
        """Sizes of these options that go together, the first ones where there is a choice."""
        tries = itertools.count()

        def search(options: Options, names: Sequence[str]) -> Sizes | None:
            left = self.narrowed(options)
            if left is None or next(tries) > MAX_TRIES:
                return None
            if not names:
                return {name: sizes[0] for name, sizes in left.items()}
            for size in left[names[0]]:
                found = search({**left, names[0]: [size]}, names[1:])
                if found is not None:
                    return found
            return None

        tied = {name for names, _, _ in self._tables for name in names}
        return search(options, [name for name in self._menus if name in tied])


@functools.lru_cache(maxsize=256)
def _table(
    axes: tuple[Axis, ...], text: str, menus: tuple[tuple[str, tuple[int, ...]], ...]
) -> tuple[tuple[str, ...], dict[str, list[int]], Array]:
    """Names, sizes of each and, Boolean, a dimension for each, whether the requirement holds.

    Long menus are thinned out until their combinations can all be tried.
    """
    names = tuple(name for name, _ in menus)
    kept = {name: list(sizes) for name, sizes in menus}
    while math.prod(map(len, kept.values())) > MAX_TABLE:
        longest = max(kept, key=lambda name: len(kept[name]))
        kept[longest] = kept[longest][::2]
    used = _those(axes, names)
    holds = [
        not broken(used, [text], dict(zip(names, sizes, strict=True)))
        for sizes in itertools.product(*kept.values())
    ]
    return names, kept, np.array(holds).reshape([len(sizes) for sizes in kept.values()])


# --------------------------------------------------------------------------------------------------
# Any sizes


def settle(
    axes: Sequence[Axis], require: Sequence[str], sizes: Mapping[str, int], bounds: Bounds
) -> Sizes | None:
    """The sizes, changed until every requirement holds; None where no change tried is enough.

    sizes:  of the drawn axes
    bounds: least and largest size of each
    Axes tied by a requirement are changed, the last ones first, to sizes near their own.
    """
    found = dict(sizes)
    for group in _groups(axes, require):
        tied = [text for text in require if set(needed(axes, text)) <= group]
        used = _those(axes, group)
        names = [name for name in found if name in group]
        choices = [_near(found[name], bounds[name], [found[n] for n in names]) for name in names]
        for tried in itertools.islice(itertools.product(*choices), MAX_TRIES):
            chosen = dict(zip(names, tried, strict=True))
            if not broken(used, tied, chosen):
                found.update(chosen)
                break
        else:
            return None
    return found


def _groups(axes: Sequence[Axis], require: Sequence[str]) -> list[set[str]]:
    """Drawn axes that requirements tie together."""
    groups: list[set[str]] = []
    for text in require:
        names = set(needed(axes, text))
        joined = [group for group in groups if group & names]
        groups = [group for group in groups if not group & names]
        groups.append(names.union(*joined))
    return groups


def _near(size: int, bounds: tuple[int, int], partners: Sequence[int]) -> list[int]:
    """Sizes to try in place of one, the nearest first, itself among them if it may be."""
    least, most = bounds
    tried = {size, least, most, *(size >> power for power in range(1, 12))}
    tried |= {partner + step for partner in partners for step in (-1, 0, 1)}
    tried |= {partner // divisor for partner in partners for divisor in (2, max(size, 1))}
    inside = {min(max(one, least), most) for one in tried}
    return sorted(inside, key=lambda one: (abs(one - size), one))


def _those(axes: Sequence[Axis], drawn: Collection[str]) -> tuple[Axis, ...]:
    """These drawn axes and what is computed from them alone."""
    return tuple(axis for axis in axes if set(needed(axes, axis.name)) <= set(drawn))
