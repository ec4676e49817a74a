"""The sizes that mistakes live at, as named classes, and few cases that reach every one of them.

A kernel is wrong at its edges: one element past a tile, a K shorter than a tile, one axis alone at
1.  Each such place is a Boundary; `cover` makes size tuples so that each class holds for one of
them, many classes a tuple, so that the plan stays short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.axes import Allowed, Sizes
from judge.draws import Stream
from judge.model import Axis, Spec

SMALL = range(1, 8)
PRIMES = (17, 31, 97, 127, 257, 1009)
_TAKEN = 4  # of the sizes that would do, how many of the cheapest a case chooses from

Cost = Callable[[Mapping[str, int]], int]
_Test = Callable[[int], bool]


@dataclass(frozen=True)
class Boundary:
    """A class of sizes: for each axis it speaks of, which sizes belong to it.

    why: what is special about it, said behind the name; empty where it says it
    """

    name: str
    tests: Mapping[str, _Test]
    why: str = ""

    def __str__(self) -> str:
        """`N=129, a tile of 128 and 1`."""
        return f"{self.name}, {self.why}" if self.why else self.name

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

    An axis too short for a class takes no part in it, and a class that the spec's requirements rule
    out is none.
    """
    menus, ends = menus_of(spec), {axis.name: axis.maximum for axis in spec.drawn_axes}
    axes, tiles = tuple(menus), spec.tiles
    least, middle, most = tiles[0], tiles[len(tiles) // 2], tiles[-1]
    found = [
        Boundary(
            f"{axis}={size}",
            {axis: lambda n, size=size: n == size},  # type: ignore[misc]
            _special(size, tiles),
        )
        for axis in axes
        for size in menus[axis]
    ]

    def every(test: Callable[[int], bool], beyond: int, but: str = "") -> dict[str, _Test]:
        return {axis: test for axis in axes if axis != but and ends[axis] > beyond}

    for axis in axes:
        alone = {axis: lambda n: n == 1, **every(lambda n: n > 1, 1, axis)}
        below = {axis: lambda n: n < least, **every(lambda n: n > least, least, axis)}
        long = {axis: lambda n: n > middle, **every(lambda n: n < middle, 0, axis)}
        found += [
            Boundary(f"{axis} alone at 1", alone),
            Boundary(f"{axis} below a tile", below),
            Boundary(f"{axis} long", long),
        ]
    for t in tiles:
        found.append(Boundary(f"tails of {t}", every(lambda n, t=t: n > t and n % t != 0, t)))  # type: ignore[misc]
    found.append(Boundary("whole tiles", every(lambda n: n > 0 and n % most == 0, most - 1)))
    allowed = Allowed(spec.axes, spec.require, menus)
    return tuple(
        boundary
        for boundary in found
        if boundary.tests and allowed.some(_options(boundary, menus)) is not None
    )


def _special(size: int, tiles: Sequence[int]) -> str:
    """What is special about a size of the menu, seen from the largest tile that it lies at."""
    for tile in reversed(tiles):
        for many, rest in ((1, 0), (1, -1), (1, 1), (2, -1), (2, 1), (3, 7)):
            if size == many * tile + rest:
                whole = f"a tile of {tile}" if many == 1 else f"{many} tiles of {tile}"
                beside = f" {'and' if rest > 0 else 'less'} {abs(rest)}" if rest else ""
                return whole + beside
    if size in SMALL:
        return "a few"
    return "a prime" if size in PRIMES else ""


def menus_of(spec: Spec) -> dict[str, list[int]]:
    """The menu of each axis that is drawn."""
    return {axis.name: menu(axis, spec.tiles) for axis in spec.drawn_axes}


def _options(boundary: Boundary, menus: Mapping[str, list[int]]) -> dict[str, list[int]]:
    """The sizes of the menus that a class allows."""
    return {axis: [n for n in menus[axis] if test(n)] for axis, test in boundary.tests.items()}


def cover(
    spec: Spec, classes: Sequence[Boundary], cost: Cost, cap: float, stream: Stream
) -> Iterator[tuple[Sizes, str]]:
    """Sizes, and why, such that each class holds for one of them.

    Greedy: the dearest class left is merged with every other that still fits it, as long as the
    cheapest sizes for all of them cost at most `cap`.  A class dearer than that gets a case alone.
    """
    menus = menus_of(spec)
    allowed = Allowed(spec.axes, spec.require, menus)

    def cheapest(sizes: Mapping[str, Sequence[int]]) -> int:
        return cost({axis: options[0] for axis, options in {**menus, **sizes}.items()})

    left = [
        (boundary, allowed.narrowed(_options(boundary, menus)) or {})
        for boundary in stream.shuffled(classes)
    ]
    left.sort(key=lambda item: cheapest(item[1]), reverse=True)
    while left:
        (first, merged), rest = left[0], left[1:]
        reasons = [str(first)]
        for boundary, options in rest:
            joined = dict(merged)
            for axis, sizes in options.items():
                joined[axis] = [n for n in joined[axis] if n in sizes]
            both = allowed.narrowed(joined)
            if both is not None and cheapest(both) <= cap:
                merged = both
                reasons.append(str(boundary))
        chosen = _choose(merged, allowed, cost, max(cap, cheapest(merged)), stream)
        chosen = chosen or allowed.some(left[0][1])
        assert chosen is not None  # a class that no sizes are in is none
        yield chosen, "; ".join(reasons[:3])
        left = [item for item in left[1:] if not item[0].holds(chosen)]


def _choose(
    options: dict[str, list[int]], allowed: Allowed, cost: Cost, cap: float, stream: Stream
) -> Sizes | None:
    """One size of each axis, random among the few cheapest, within the cap; None if stuck."""
    left: dict[str, list[int]] | None = options
    for axis in stream.shuffled(tuple(options)):
        if left is None:
            break
        sizes = {name: some[0] for name, some in left.items()}
        fitting = [n for n in left[axis] if cost({**sizes, axis: n}) <= cap]
        chosen = stream.choice(fitting[:_TAKEN] or left[axis][:1])
        left = allowed.narrowed({**left, axis: [chosen]})
    return None if left is None else {axis: some[0] for axis, some in left.items()}
