"""What a reference expression may say: the functions, operators and comparisons of `arrayexpr.py`.

Reductions with an axis keep it with length 1, so that their results broadcast: `x / sum(x, -1)`.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from judge.erf import erf
from judge.expr import Dialect, Function
from judge.model import Array


def _reduction(function: Any) -> Function:
    """Over all elements, or over one axis, which is then kept with length 1."""

    def reduce(x: Array, axis: int | None) -> Any:
        return function(x) if axis is None else function(x, axis=axis, keepdims=True)

    return Function(reduce, 1, 2, axis=True)


def _along(function: Any) -> Function:
    """Along the last axis, or the axis given."""

    def along(x: Array, axis: int | None) -> Any:
        return function(x, axis=-1 if axis is None else axis)

    return Function(along, 1, 2, axis=True)


def _mean(x: Array, **axis: Any) -> Any:
    """NaN of nothing, as 0 / 0 is: a mistake that is tried out may leave nothing over."""
    total = np.sum(x, **axis)
    with np.errstate(invalid="ignore"):
        return total / np.float64(x.size // max(1, np.size(total)) if np.size(total) else 0)


def _sigmoid(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


# Their magnitude is the function of the magnitude.
_LINEAR = {
    "sum": _reduction(np.sum),
    "mean": _reduction(_mean),
    "cumsum": _along(np.cumsum),
    "flip": _along(np.flip),
    "transpose": Function(lambda x: np.swapaxes(x, -1, -2)),
    "reshape": Function(lambda x, *shape: np.reshape(x, shape), 2, 6, sizes_from=1),
    "concat": Function(lambda *parts: np.concatenate(parts, axis=-1), 2, 8),
    "stack": Function(lambda *parts: np.stack(parts, axis=-1), 2, 8),
    "arange": Function(lambda n: np.arange(n, dtype=np.float64), sizes_from=0),
}
# What is one of its operands is no further off than the largest of them may be.
LARGEST = {
    "max": _reduction(np.max),
    "min": _reduction(np.min),
    "maximum": Function(np.maximum, 2, 2),
    "minimum": Function(np.minimum, 2, 2),
    "clip": Function(np.clip, 3, 3),
}
HAS_MAGNITUDE = {*_LINEAR, *LARGEST, "abs", "where"}
# Functions whose operands need not have one shape.
JOINS = ("reshape", "concat", "stack", "arange")
ARRAYS = Dialect(
    functions={
        **_LINEAR,
        **LARGEST,
        "sort": _along(np.sort),
        "where": Function(np.where, 3, 3),
        "abs": Function(np.abs),
        "sqrt": Function(np.sqrt),
        "exp": Function(np.exp),
        "log": Function(np.log),
        "sin": Function(np.sin),
        "cos": Function(np.cos),
        "tanh": Function(np.tanh),
        "erf": Function(erf),
        "sigmoid": Function(_sigmoid),
        "floor": Function(np.floor),
        "round": Function(np.rint),
    },
    operators={
        ast.Add: np.add,
        ast.Sub: np.subtract,
        ast.Mult: np.multiply,
        ast.Div: np.divide,
        ast.FloorDiv: np.floor_divide,
        ast.Mod: np.mod,
        ast.Pow: np.power,
        ast.MatMult: np.matmul,
    },
    comparisons={
        ast.Lt: np.less,
        ast.LtE: np.less_equal,
        ast.Gt: np.greater,
        ast.GtE: np.greater_equal,
        ast.Eq: np.equal,
        ast.NotEq: np.not_equal,
    },
    slices=True,
)
