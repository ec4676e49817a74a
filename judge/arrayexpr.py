"""Expressions over arrays: the reference of a spec, in float64, and its magnitude.

The dialect is NumPy's: + - * / ** and @ broadcast, comparisons serve `where`.  Reductions with an
axis keep it with length 1, so that their results broadcast: `x / sum(x, -1)`.  See `expr.py` for
what makes it safe; here the size of every result is bounded as well.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from judge.expr import Dialect, ExpressionError, Function, check, function_name, parse, split_axis
from judge.model import Array

MAX_ELEMENTS = 2**28  # of any array on the way to a result

Values = Mapping[str, "Array | float"]


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


# The magnitude of these is the function of the magnitude; `where` and `abs` have one as well.
_LINEAR = {
    "sum": _reduction(np.sum),
    "mean": _reduction(np.mean),
    "cumsum": _along(np.cumsum),
    "flip": _along(np.flip),
    "transpose": Function(lambda x: np.swapaxes(x, -1, -2)),
}
_HAS_MAGNITUDE = {*_LINEAR, "abs", "where"}
ARRAYS = Dialect(
    functions={
        **_LINEAR,
        "max": _reduction(np.max),
        "min": _reduction(np.min),
        "sort": _along(np.sort),
        "maximum": Function(np.maximum, 2, 2),
        "minimum": Function(np.minimum, 2, 2),
        "where": Function(np.where, 3, 3),
        "abs": Function(np.abs),
        "sqrt": Function(np.sqrt),
        "exp": Function(np.exp),
        "log": Function(np.log),
        "sin": Function(np.sin),
        "cos": Function(np.cos),
        "tanh": Function(np.tanh),
        "floor": Function(np.floor),
        "round": Function(np.rint),
    },
    operators={
        ast.Add: np.add,
        ast.Sub: np.subtract,
        ast.Mult: np.multiply,
        ast.Div: np.divide,
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
)


def check_arrays(text: str, names: Collection[str]) -> None:
    """Raise ExpressionError unless `text` is an expression over these names."""
    check(parse(text), names, ARRAYS)


def check_magnitude(text: str, names: Collection[str]) -> None:
    """Raise ExpressionError unless `magnitude` is defined for this expression."""
    check_arrays(text, names)
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.Call) and function_name(node) not in _HAS_MAGNITUDE:
            raise ExpressionError(
                f"got {function_name(node)}, for which the rule rounding has no bound; "
                "use ulp or allclose, or a reference.py with its own magnitude"
            )
        divides = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Pow))
        if isinstance(node, ast.BinOp) and divides and not isinstance(node.right, ast.Constant):
            raise ExpressionError(
                f"got {ast.unparse(node)}, expected a number right of / and ** under rounding"
            )


def arrays(text: str, values: Values) -> Array:
    """Evaluate an expression in float64.

    Raises ExpressionError: an undefined name, shapes that do not fit, an array too large.
    """
    check_arrays(text, values.keys())
    with np.errstate(all="ignore"):
        return np.asarray(_array(parse(text), values))


def magnitude(text: str, values: Values) -> Array:
    """Evaluate the same formula on absolute values: minus becomes plus, inputs lose their sign.

    It bounds the sum of the absolute values of all terms, which the rounding errors of a sum scale
    with: for alpha * (A @ B) + beta * C it is |alpha| |A| |B| + |beta| |C|.
    Raises ExpressionError where that has no meaning (exp, sort, a division by an array, ...).
    """
    check_magnitude(text, values.keys())
    with np.errstate(all="ignore"):
        return np.asarray(_magnitude(parse(text), values))


def _array(tree: ast.expr, values: Values) -> Any:
    if isinstance(tree, ast.Constant):
        return np.float64(tree.value)  # type: ignore[arg-type]
    if isinstance(tree, ast.Name):
        return np.asarray(values[tree.id], dtype=np.float64)
    if isinstance(tree, ast.UnaryOp):
        return -_array(tree.operand, values)
    if isinstance(tree, ast.BinOp):
        left, right = _array(tree.left, values), _array(tree.right, values)
        return _apply(tree, ARRAYS.operators[type(tree.op)], left, right)
    if isinstance(tree, ast.Compare):
        left, right = _array(tree.left, values), _array(tree.comparators[0], values)
        return _apply(tree, ARRAYS.comparisons[type(tree.ops[0])], left, right)
    return _call(tree, lambda operand: _array(operand, values))


def _magnitude(tree: ast.expr, values: Values) -> Any:
    if isinstance(tree, (ast.Constant, ast.Name)):
        return np.abs(_array(tree, values))
    if isinstance(tree, ast.UnaryOp):
        return _magnitude(tree.operand, values)
    if isinstance(tree, ast.BinOp):
        operator = ast.Add if isinstance(tree.op, ast.Sub) else type(tree.op)
        left, right = _magnitude(tree.left, values), _magnitude(tree.right, values)
        return _apply(tree, ARRAYS.operators[operator], left, right)
    if isinstance(tree, ast.Compare):  # a condition keeps its signs
        return _array(tree, values)
    return _call(tree, lambda operand: _magnitude(operand, values))


def _call(tree: ast.expr, evaluate: Callable[[ast.expr], Any]) -> Any:
    assert isinstance(tree, ast.Call)  # all that check lets through
    function = ARRAYS.functions[function_name(tree)]
    operands, axis = split_axis(tree, function)
    if function.axis:
        return _apply(tree, lambda x: function.call(x, axis), evaluate(operands[0]))
    return _apply(tree, function.call, *(evaluate(operand) for operand in operands))


def _apply(tree: ast.expr, function: Callable[..., Any], *operands: Any) -> Any:
    """Apply a function unless its result would be huge, or shapes do not fit."""
    shapes = [np.shape(operand) for operand in operands]
    try:
        if function is np.matmul:
            batch = np.broadcast_shapes(*(shape[:-2] for shape in shapes))
            elements = math.prod(batch) * math.prod(shapes[0][-2:-1]) * math.prod(shapes[1][-1:])
        else:
            elements = math.prod(np.broadcast_shapes(*shapes))
        if elements > MAX_ELEMENTS:
            raise ExpressionError(f"got more than {MAX_ELEMENTS} elements in {ast.unparse(tree)}")
        return function(*operands)
    except ExpressionError:
        raise
    except ValueError:  # which NumPy's AxisError is, too
        shown = " and ".join(map(str, shapes))
        raise ExpressionError(f"shapes {shown} do not fit in {ast.unparse(tree)}") from None
