"""The sizes that mistakes live at, as named classes, and few cases that reach every one of them.

A kernel is wrong at its edges: one element past a tile, a K shorter than a tile, one axis alone at
1.  Each such place is a Boundary; `cover` makes size tuples so that each class holds for one of
them, many classes a tuple, so that the plan stays short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.draws import Stream
from judge.model import Axis, Spec

SMALL = range(1, 8)
PRIMES = (17, 31, 97, 127, 257, 1009)
_TAKEN = 4  # of the sizes that would do, how many of the cheapest a case chooses from

Sizes = dict[str, int]
Cost = Callable[[Mapping[str, int]], int]


@dataclass(frozen=True)
class Boundary:
    """A class of sizes: for each axis it speaks of, which sizes belong to it."""

    name: str
    tests: Mapping[str, Callable[[int], bool]]

    def holds(self, sizes: Mapping[str, int]) -> bool:
        """Whether a case of these sizes is in the class."""
        return all(test(sizes[axis]) for axis, test in self.tests.items())


def menu(axis: Axis, tiles: Sequence[int]) -> list[int]:
    """The sizes of an axis that boundary cases take, increasing, within its range."""
    around = [n for t in tiles for n in (t - 1, t, t + 1, 2 * t - 1, 2 * t + 1, 3 * t + 7)]
    sizes = {axis.minimum, *SMALL, *PRIMES, *around}
    return sorted(size for size in sizes if axis.minimum <= size <= axis.maximum)


def boundaries(spec: Spec) -> tuple[Boundary, ...]:
    """Every class that sizes of this problem can be in.

    M=127            each size of the menu, on each axis
    M alone at 1     the others larger
    M below a tile   below the least tile, the others above it
    M long           beyond the middle tile, the others below it: non-square, each way
    tails of 64      every axis more than one tile and no whole number of them, for each tile
    whole tiles      every axis a multiple of the largest
    """
    menus = {axis.name: menu(axis, spec.tiles) for axis in spec.axes}
    axes, tiles = tuple(menus), spec.tiles
    least, middle, most = tiles[0], tiles[len(tiles) // 2], tiles[-1]
    found = [
        Boundary(f"{axis}={size}", {axis: lambda n, size=size: n == size})  # type: ignore[misc]
        for axis in axes
        for size in menus[axis]
    ]
    for axis in axes:
        others = [other for other in axes if other != axis]

        def split(
            here: Callable[[int], bool],
            there: Callable[[int], bool],
            axis: str = axis,
            others: list[str] = others,
        ) -> Mapping[str, Callable[[int], bool]]:
            return {axis: here, **dict.fromkeys(others, there)}

        found += [
            Boundary(f"{axis} alone at 1", split(lambda n: n == 1, lambda n: n > 1)),
            Boundary(f"{axis} below a tile", split(lambda n: n < least, lambda n: n > least)),
            Boundary(f"{axis} long", split(lambda n: n > middle, lambda n: n < middle)),
        ]
    found += [
        Boundary(f"tails of {t}", dict.fromkeys(axes, lambda n, t=t: n > t and n % t != 0))  # type: ignore[misc]
        for t in tiles
    ]
    found.append(Boundary("whole tiles", dict.fromkeys(axes, lambda n: n > 0 and n % most == 0)))
    return tuple(
        boundary
        for boundary in found
        if all(any(map(test, menus[axis])) for axis, test in boundary.tests.items())
    )


def cover(
    spec: Spec, classes: Sequence[Boundary], cost: Cost, cap: float, stream: Stream
) -> Iterator[tuple[Sizes, str]]:
    """Sizes, and why, such that each class holds for one of them.

    Greedy: the dearest class left is merged with every other that still fits it, as long as the
    cheapest sizes for all of them cost at most `cap`.  A class dearer than that gets a case alone.
    """
    menus = {axis.name: menu(axis, spec.tiles) for axis in spec.axes}
    floor = {axis: sizes[0] for axis, sizes in menus.items()}

    def allowed(boundary: Boundary) -> dict[str, list[int]]:
        return {axis: [n for n in menus[axis] if t(n)] for axis, t in boundary.tests.items()}

    def cheapest(sizes: Mapping[str, Sequence[int]]) -> int:
        return cost({**floor, **{axis: options[0] for axis, options in sizes.items()}})

    left = [(boundary, allowed(boundary)) for boundary in stream.shuffled(classes)]
    left.sort(key=lambda item: cheapest(item[1]), reverse=True)
    while left:
        (first, merged), rest = left[0], left[1:]
        names = [first.name]
        for boundary, options in rest:
            both = dict(merged)
            for axis, sizes in options.items():
                both[axis] = [n for n in both.get(axis, menus[axis]) if n in sizes]
            if all(both.values()) and cheapest(both) <= cap:
                merged = both
                names.append(boundary.name)
        chosen = _choose({**menus, **merged}, cost, max(cap, cheapest(merged)), stream)
        yield chosen, ", ".join(names[:3])
        left = [item for item in left if not item[0].holds(chosen)]


def _choose(options: Mapping[str, list[int]], cost: Cost, cap: float, stream: Stream) -> Sizes:
    """One size of each axis, random among the few cheapest, within the cap."""
    sizes = {axis: allowed[0] for axis, allowed in options.items()}
    for axis in stream.shuffled(tuple(options)):
        fitting = [n for n in options[axis] if cost({**sizes, axis: n}) <= cap]
        sizes[axis] = stream.choice(fitting[:_TAKEN] or options[axis][:1])
    return sizes
