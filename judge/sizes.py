"""What a spec says of sizes: shapes and bytes at these sizes, and which sizes there may be."""

from __future__ import annotations

import math
from collections.abc import Mapping

from judge import axes, expr
from judge.model import Argument, Axis, Spec


def shape(argument: Argument, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of an array argument at these sizes."""
    return tuple(expr.sizes(text, sizes) for text in argument.shape)


def elements(argument: Argument, sizes: Mapping[str, int]) -> int:
    """How many elements an array has at these sizes."""
    return math.prod(shape(argument, sizes))


def array_bytes(spec: Spec, sizes: Mapping[str, int]) -> int:
    """Bytes of all arrays of one call at these sizes."""
    return sum(elements(a, sizes) * a.dtype.itemsize for a in spec.arrays)


def ranges(spec: Spec, family: str) -> dict[str, Axis]:
    """The sizes each axis that is drawn may take with this family."""
    narrowed = spec.family(family).axes
    return {axis.name: narrowed.get(axis.name, axis) for axis in spec.drawn_axes}


def settled(
    spec: Spec, sizes: Mapping[str, int], family: str = "", most: Mapping[str, int] | None = None
) -> dict[str, int] | None:
    """Sizes of all axes near these, such that every requirement holds; None if none is found.

    sizes: of the drawn axes, in range;  family: whose ranges hold;  most: none larger than these
    """
    ends = ranges(spec, family) if family else {axis.name: axis for axis in spec.drawn_axes}
    bounds = {
        name: (axis.minimum, max(axis.minimum, (most or {}).get(name, axis.maximum)))
        for name, axis in ends.items()
    }
    drawn = {name: sizes[name] for name in bounds}
    found = axes.settle(spec.axes, spec.require, drawn, bounds)
    try:
        return None if found is None else axes.completed(spec.axes, found)
    except expr.ExpressionError:
        return None


def small(spec: Spec, family: str = "", first: int = 2) -> dict[str, int] | None:
    """Small unequal sizes that a family allows, those of axis i about its least + first + i."""
    ends = ranges(spec, family).values() if family else spec.drawn_axes
    sizes = {
        axis.name: min(axis.maximum, axis.minimum + first + number)
        for number, axis in enumerate(ends)
    }
    return settled(spec, sizes, family)
