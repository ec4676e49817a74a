"""The sizes of tests in words: which numbers are axes, and how shapes follow from them.

A test has shapes and numbers, nothing that ties them; but messages, patterns and the sizes of
buffers go by axes.  So a dimension is called by the first expression that has its value in every
test: an axis, a product of axes, a constant; else it is an axis of its own, which solve is not told
of.  Only what fits all tests is said; it explains and lays out, and no right answer depends on it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from judge.leetgpu.parameters import ChallengeTest, Parameter
from judge.model import Axis

_MOST = 2**31 - 1


def axes(
    parameters: Sequence[Parameter], tests: Sequence[ChallengeTest]
) -> dict[str, tuple[int, ...]]:
    """The parameters that are sizes, whole numbers above 0 in every test: their values."""
    found = {}
    for one in parameters:
        if not one.is_array and not one.dtype.is_float:
            values = tuple(int(test.numbers[one.name]) for test in tests)
            if all(1 <= value <= _MOST for value in values):
                found[one.name] = values
    return found


def shapes(
    parameters: Sequence[Parameter],
    tests: Sequence[ChallengeTest],
    known: Mapping[str, tuple[int, ...]],
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[int, ...]]]:
    """An expression for each dimension of each array, and the axes made up for them.

    An array that has not the same number of dimensions in all tests counts as flat.
    """
    made: dict[str, tuple[int, ...]] = {}
    expressions = {}
    for one in parameters:
        if not one.is_array:
            continue
        own = [test.shapes[one.name] for test in tests]
        if len({len(shape) for shape in own}) > 1 or not own[0]:
            own = [(math.prod(shape),) for shape in own]
        expressions[one.name] = tuple(
            _expression(values, known, made, f"{one.name}_{dimension}")
            for dimension, values in enumerate(zip(*own, strict=True))
        )
    return expressions, made


def axis(name: str, values: Sequence[int], hidden: bool) -> Axis:
    """An axis with the range that the tests span."""
    return Axis(name, min(values), max(values), hidden=hidden)


def _expression(
    values: tuple[int, ...],
    known: Mapping[str, tuple[int, ...]],
    made: dict[str, tuple[int, ...]],
    name: str,
) -> str:
    """The expression of one dimension; a new axis in `made` where there is none."""
    for text, others in _products(known):
        if others == values:
            return text
    if len(set(values)) == 1:
        return str(values[0])
    for other, others in made.items():
        if others == values:
            return other
    while name in known or name in made:
        name += "_"
    made[name] = values
    return name


def _products(known: Mapping[str, tuple[int, ...]]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Axes, then products of two and of three, with their values in every test."""
    for count in (1, 2, 3):
        for names in itertools.combinations_with_replacement(known, count):
            columns = zip(*(known[name] for name in names), strict=True)
            yield " * ".join(names), tuple(math.prod(column) for column in columns)
