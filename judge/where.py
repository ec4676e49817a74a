"""Where an output is wrong: from the set of wrong elements to the shortest true words for it.

In comes a Boolean array, out goes a phrase: `all in row 64 (the tail of M for tiles of 8, 16)`.
Every phrase is a *cover*: all wrong elements lie in it, and where it holds right ones too it says
how many.  Pure; knows sizes and tiles, never values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from judge.counted import counted, plural
from judge.model import Array

_ORDINALS = ("first", "second", "third", "fourth")
# Vector loads handle 2, 4 or 8 elements at once and warps 32, whatever the tiles are.
_WIDTHS = (2, 3, 4, 8, 32)
# A simpler phrase is better than a sharper one that is at most a tenth smaller.
_NEARLY = 1.1
# Below this share of wrong elements a cover says next to nothing.
_SPARSE = 0.3
# So many are listed one by one.
_FEW = 4
# Patterns that need an index for each element are looked for up to this many of them.
_MANY = 1 << 22


@dataclass(frozen=True)
class _Cover:
    """A set of `size` indices or elements that holds all the wrong ones, in words."""

    size: int
    words: str


def describe(wrong: Array, names: Sequence[str], tiles: Sequence[int]) -> str:
    """A phrase for the set of wrong elements, to stand after `33 of 2145 elements wrong, `.

    Shapes: wrong is Boolean, as the output; `names` holds the size of each dimension as the spec
    writes it (`M`); `tiles` are the tile sizes worth mentioning.
    """
    count = int(np.count_nonzero(wrong))
    covers = list(_covers(wrong, names, tiles))
    smallest = min(cover.size for cover in covers)
    nearly = smallest if smallest == count else _NEARLY * smallest
    best = next(cover for cover in covers if cover.size <= nearly)
    fill = count / best.size
    if fill == 1:
        return best.words if best.words.startswith("at ") else f"all {best.words}"
    if fill < _SPARSE:
        words = best.words if 2 * best.size < wrong.size else "over the output"
        share = 100 * count / (best.size if words is best.words else wrong.size)
        return f"scattered {words}, {share:.2g} % of the elements there"
    if best.size == wrong.size:
        return f"all {best.words}"
    return f"all {best.words}, {count} of the {best.size} there"


def _covers(wrong: Array, names: Sequence[str], tiles: Sequence[int]) -> Iterator[_Cover]:
    """Covers of the wrong elements, simplest first; the first of them always exists."""
    count = int(np.count_nonzero(wrong))
    yield _box(wrong, names, tiles)
    if wrong.ndim > 1:
        yield from _slabs(wrong, names, tiles)
    if wrong.size <= _MANY:
        if wrong.ndim == 2:
            yield from _slants(wrong)
            yield from _blocks(wrong, tiles)
        if wrong.ndim > 1 and count <= _FEW:
            places = (str(index) for index in np.argwhere(wrong).tolist())
            yield _Cover(count, "at " + ", ".join(places))
        if wrong.ndim > 1:
            flat = _axis_cover(wrong.ravel(), "element", "", tiles)
            yield _Cover(flat.size, f"in {flat.words} in memory order")


def _box(wrong: Array, names: Sequence[str], tiles: Sequence[int]) -> _Cover:
    """Some indices of each dimension: rows 64..70 and odd columns."""
    size, words = 1, []
    for dimension, name in enumerate(names):
        others = tuple(axis for axis in range(wrong.ndim) if axis != dimension)
        bad = np.asarray(wrong.any(axis=others))
        cover = _axis_cover(bad, _word(dimension, names), name, tiles)
        size *= cover.size
        if cover.size < wrong.shape[dimension]:
            words.append(cover.words)
    if words:
        return _Cover(size, "in " + ", ".join(words))
    return _Cover(size, "over the output")


def _slabs(wrong: Array, names: Sequence[str], tiles: Sequence[int]) -> Iterator[_Cover]:
    """Whole rows or whole columns: both tails at once make this shape."""
    inside = np.zeros(wrong.shape, dtype=bool)
    words = []
    for dimension, name in enumerate(names):
        others = tuple(axis for axis in range(wrong.ndim) if axis != dimension)
        # Three quarters, not all: a wrong element may be right by accident.
        bad = wrong.mean(axis=others) >= 0.75
        if bad.all():
            return
        if bad.any():
            words.append(_axis_cover(bad, _word(dimension, names), name, tiles).words)
            shape = [1] * wrong.ndim
            shape[dimension] = -1
            inside |= bad.reshape(shape)
    if len(words) > 1 and not (wrong & ~inside).any():
        yield _Cover(int(np.count_nonzero(inside)), "in " + " or ".join(words))


def _slants(wrong: Array) -> Iterator[_Cover]:
    """Sets that mix row and column: checkerboard, diagonal, triangles."""
    i, j = np.ogrid[: wrong.shape[0], : wrong.shape[1]]
    for inside, words in (
        (i == j, "on the diagonal"),
        (i > j, "below the diagonal"),
        (i < j, "above the diagonal"),
        (i >= j, "on and below the diagonal"),
        (i <= j, "on and above the diagonal"),
        (i != j, "off the diagonal"),
        ((i + j) % 2 == 0, "on the even squares of a checkerboard"),
        ((i + j) % 2 == 1, "on the odd squares of a checkerboard"),
    ):
        if not (wrong & ~inside).any():
            yield _Cover(int(np.count_nonzero(inside)), words)


def _blocks(wrong: Array, tiles: Sequence[int]) -> Iterator[_Cover]:
    """A few tiles of the output, named by their place in the grid of tiles."""
    for tile in sorted(tiles, reverse=True):
        grid = tuple(-(-size // tile) for size in wrong.shape)
        if min(grid) < 2:
            continue
        hit = np.zeros(grid, dtype=bool)
        i, j = np.nonzero(wrong)
        hit[i // tile, j // tile] = True
        places = np.argwhere(hit)
        if len(places) > _FEW:
            continue
        size = sum(
            min(tile, wrong.shape[0] - y * tile) * min(tile, wrong.shape[1] - x * tile)
            for y, x in places.tolist()
        )
        named = ", ".join(f"({y}, {x})" for y, x in places.tolist())
        words = "tile" if len(places) == 1 else "tiles"
        yield _Cover(
            size,
            f"in {words} {named} of {tile} x {counted(tile, 'element')}",
        )


def _axis_cover(bad: Array, word: str, name: str, tiles: Sequence[int]) -> _Cover:
    """The simplest tight cover of some indices along one dimension.

    Shapes: bad (n,), Boolean, at least one True.
    """
    indices = np.flatnonzero(bad)
    covers = [_range_cover(indices, bad.size, word, name, tiles)]
    if indices.size > 2:
        covers += _residue_covers(indices, bad.size, word, tiles)
    if 1 < indices.size <= _FEW:
        listed = ", ".join(str(index) for index in indices.tolist())
        covers.append(_Cover(indices.size, f"{plural(word)} {listed}"))
    smallest = min(cover.size for cover in covers)
    return next(cover for cover in covers if cover.size <= _NEARLY * smallest)


def _range_cover(indices: Array, n: int, word: str, name: str, tiles: Sequence[int]) -> _Cover:
    """`row 64` or `rows 16..31`, with what such a range means for tiles."""
    first, last = int(indices[0]), int(indices[-1])
    size = last - first + 1
    words = f"{word} {first}" if size == 1 else f"{plural(word)} {first}..{last}"
    note = _range_note(first, last, n, word, name, tiles) if size < n else ""
    return _Cover(size, words + (f" ({note})" if note else ""))


def _range_note(first: int, last: int, n: int, word: str, name: str, tiles: Sequence[int]) -> str:
    """What a range means for tiles: a tail, one tile, all but the first; empty if nothing."""
    to_end = last == n - 1
    tails = [tile for tile in tiles if n % tile and first == n - n % tile > 0]
    if to_end and tails:
        return f"the tail of {name or 'the ' + plural(word)} for tiles of {_listed(tails)}"
    if to_end and first in tiles:
        return f"all but the first tile of {first} {plural(word)}"
    if to_end and first == last:
        return "the last"
    for tile in sorted(tiles, reverse=True):
        if first % tile == 0 and last == min(first + tile, n) - 1 and tile > 1:
            number = first // tile
            which = f"the {_ORDINALS[number]} tile" if number < 4 else f"tile {number}"
            return f"{which} of {tile} {plural(word)}"
    return ""


def _residue_covers(indices: Array, n: int, word: str, tiles: Sequence[int]) -> list[_Cover]:
    """Indices by their remainder: odd columns, rows whose index mod 16 is 8..15."""
    covers = []
    for width in sorted({*_WIDTHS, *tiles}):
        if 2 * width > n:
            break
        rests = np.unique(indices % width)
        low, high = int(rests[0]), int(rests[-1])
        if high - low + 1 == width:
            continue
        every = np.arange(n) % width
        size = int(np.count_nonzero((every >= low) & (every <= high)))
        if width == 2:
            words = f"{('even', 'odd')[low]} {plural(word)}"
        elif low == high:
            words = f"{plural(word)} {low} mod {width}"
        else:
            words = f"{plural(word)} {low}..{high} mod {width}"
        covers.append(_Cover(size, words))
    return covers


def _word(dimension: int, names: Sequence[str]) -> str:
    """What an index along a dimension is called."""
    if len(names) == 1:
        return "element"
    from_end = len(names) - dimension
    return {1: "column", 2: "row"}.get(from_end, f"{names[dimension]} index")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers)
