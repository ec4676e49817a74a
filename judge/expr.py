"""Arithmetic expressions of a spec: a text and its names in, a number or an array out.

Nothing is executed: the text is parsed to Python's syntax tree and only the nodes, names and
functions listed here are evaluated, each with bounds on size, depth and result.  Two dialects share
the syntax: `sizes` (exact integers over the size axes: shapes, work, terms) and `arrays` (float64
arrays: the reference).  `magnitude` evaluates an array expression on absolute values, for the
rounding bound.
"""

from __future__ import annotations

import ast
import functools
import math
import warnings
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from judge.model import Array

MAX_LENGTH = 1000
MAX_DEPTH = 40
MAX_INTEGER = 2**62
MAX_ELEMENTS = 2**28  # of any array on the way to a result


class ExpressionError(ValueError):
    """One line that says what is wrong with an expression, without the place."""


def _ceil_div(a: int, b: int) -> int:
    return -(-a // b)


_SIZE_FUNCTIONS: Mapping[str, tuple[int, int, Callable[..., Any]]] = {
    # name: least and most arguments, function
    "min": (2, 8, min),
    "max": (2, 8, max),
    "abs": (1, 1, abs),
    "ceil_div": (2, 2, _ceil_div),
    "log2": (1, 1, lambda x: max(1, math.ceil(math.log2(x))) if x > 0 else 1),
}


def _over_axis(function: Any) -> Callable[..., Any]:
    """A reduction over all elements, or over one axis, which is then kept with length 1."""

    def reduce(x: Array, axis: int | None = None) -> Any:
        return function(x) if axis is None else function(x, axis=axis, keepdims=True)

    return reduce


def _along(function: Any) -> Callable[..., Any]:
    """A function along the last axis, or the axis given."""
    return lambda x, axis=-1: function(x, axis=axis)


_ELEMENTWISE = {
    "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
    "floor": np.floor, "round": np.rint,
}  # fmt: skip
# Linear functions: the magnitude of the result is the function of the magnitude.
_LINEAR: Mapping[str, tuple[int, int, Callable[..., Any]]] = {
    "sum": (1, 2, _over_axis(np.sum)),
    "mean": (1, 2, _over_axis(np.mean)),
    "cumsum": (1, 2, _along(np.cumsum)),
    "flip": (1, 2, _along(np.flip)),
    "transpose": (1, 1, lambda x: np.swapaxes(x, -1, -2)),
}
_ARRAY_FUNCTIONS: Mapping[str, tuple[int, int, Callable[..., Any]]] = {
    **_LINEAR,
    **{name: (1, 1, function) for name, function in _ELEMENTWISE.items()},
    "abs": (1, 1, np.abs),
    "max": (1, 2, _over_axis(np.max)),
    "min": (1, 2, _over_axis(np.min)),
    "maximum": (2, 2, np.maximum),
    "minimum": (2, 2, np.minimum),
    "sort": (1, 2, _along(np.sort)),
    "where": (3, 3, np.where),
}
_TAKES_AXIS = {"sum", "mean", "cumsum", "flip", "max", "min", "sort"}

_OPERATORS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
    ast.MatMult: lambda a, b: a @ b,
}
_COMPARISONS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//",
          ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@"}  # fmt: skip


# --------------------------------------------------------------------------------------------------
# Checking: before anything is evaluated


def check_sizes(text: str, axes: Collection[str]) -> None:
    """Raise ExpressionError unless `text` is an expression of the `sizes` dialect over `axes`."""
    _check(_parse(text), axes, _SIZE_FUNCTIONS, {ast.MatMult, ast.Div})


def check_arrays(text: str, names: Collection[str]) -> None:
    """Raise ExpressionError unless `text` is an expression of the `arrays` dialect over `names`."""
    _check(_parse(text), names, _ARRAY_FUNCTIONS, {ast.FloorDiv, ast.Mod})


def names_of(text: str) -> frozenset[str]:
    """The names an expression reads (not the functions it calls)."""
    tree = _parse(text)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called
    )


@functools.lru_cache(maxsize=512)
def _parse(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"got {len(text)} characters, expected at most {MAX_LENGTH}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"got {text!r}, expected an expression like 2 * M * N") from None
    level, depth = [tree], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ExpressionError(f"got more than {MAX_DEPTH} nested levels, expected fewer")
        level = [
            child
            for node in level
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.expr)
        ]
    return tree


def _check(
    tree: ast.expr,
    names: Collection[str],
    functions: Mapping[str, tuple[int, int, Callable[..., Any]]],
    refused: Collection[type[ast.AST]],
) -> None:
    if isinstance(tree, ast.Constant):
        if isinstance(tree.value, bool) or not isinstance(tree.value, (int, float)):
            raise ExpressionError(f"got {tree.value!r}, expected a number")
        if not abs(tree.value) < MAX_INTEGER:
            raise ExpressionError("got a number beyond 2**62, expected a smaller one")
    elif isinstance(tree, ast.Name):
        if tree.id not in names:
            raise ExpressionError(f"got the name {tree.id}, expected one of {', '.join(names)}")
    elif isinstance(tree, ast.BinOp) and type(tree.op) in _SIGNS:
        if type(tree.op) in refused:
            raise ExpressionError(f"got the operator {_SIGNS[type(tree.op)]}, expected another")
        _check(tree.left, names, functions, refused)
        _check(tree.right, names, functions, refused)
    elif isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        _check(tree.operand, names, functions, refused)
    elif isinstance(tree, ast.Compare) and functions is _ARRAY_FUNCTIONS:
        if len(tree.ops) != 1 or type(tree.ops[0]) not in _COMPARISONS:
            raise ExpressionError("got a chain of comparisons, expected one of < <= > >= == !=")
        _check(tree.left, names, functions, refused)
        _check(tree.comparators[0], names, functions, refused)
    elif isinstance(tree, ast.Call):
        _check_call(tree, functions)
        arguments = (
            tree.args[:1]
            if _function(tree) in _TAKES_AXIS and (functions is _ARRAY_FUNCTIONS)
            else tree.args
        )
        for argument in arguments:
            _check(argument, names, functions, refused)
    else:
        raise ExpressionError(
            f"got {ast.unparse(tree)!r}, expected names, numbers, + - * / ** @ and calls"
        )


def _check_call(
    call: ast.Call, functions: Mapping[str, tuple[int, int, Callable[..., Any]]]
) -> None:
    name = _function(call)
    if name not in functions:
        raise ExpressionError(f"got the function {name}, expected one of {', '.join(functions)}")
    least, most, _ = functions[name]
    plain = not call.keywords and not any(isinstance(a, ast.Starred) for a in call.args)
    if not plain or not least <= len(call.args) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        raise ExpressionError(f"got {name} with {len(call.args)} arguments, expected {count}")
    if functions is _ARRAY_FUNCTIONS and name in _TAKES_AXIS and len(call.args) == 2:
        _axis(call.args[1])


def _function(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ast.unparse(call.func)


def _axis(node: ast.expr) -> int:
    """The axis argument of a reduction: a literal such as 0 or -1."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value < 8:
        return sign * node.value
    raise ExpressionError(f"got the axis {ast.unparse(node)}, expected a literal such as 0 or -1")


# --------------------------------------------------------------------------------------------------
# Evaluating


def sizes(text: str, values: Mapping[str, int]) -> int:
    """Evaluate an expression of the `sizes` dialect: exact integers, |result| below 2**62.

    Raises ExpressionError: an undefined name, a division by zero, a result out of bounds.
    """
    check_sizes(text, tuple(values))
    return _size(_parse(text), values)


def _size(tree: ast.expr, values: Mapping[str, int]) -> int:
    result: int
    if isinstance(tree, ast.Constant):
        if not isinstance(tree.value, int):
            raise ExpressionError(f"got {tree.value!r}, expected an integer")
        result = tree.value
    elif isinstance(tree, ast.Name):
        result = int(values[tree.id])
    elif isinstance(tree, ast.UnaryOp):
        result = -_size(tree.operand, values)
    elif isinstance(tree, ast.BinOp):
        left, right = _size(tree.left, values), _size(tree.right, values)
        if isinstance(tree.op, ast.Pow) and not 0 <= right <= 62:
            raise ExpressionError(f"got the exponent {right}, expected 0 to 62")
        if isinstance(tree.op, (ast.FloorDiv, ast.Mod)) and right == 0:
            raise ExpressionError(f"got a division by zero in {ast.unparse(tree)}")
        result = _OPERATORS[type(tree.op)](left, right)
    elif isinstance(tree, ast.Call):
        arguments = [_size(argument, values) for argument in tree.args]
        if _function(tree) == "ceil_div" and arguments[1] == 0:
            raise ExpressionError(f"got a division by zero in {ast.unparse(tree)}")
        result = _SIZE_FUNCTIONS[_function(tree)][2](*arguments)
    else:  # unreachable after check_sizes
        raise ExpressionError(f"got {ast.unparse(tree)!r}, expected an expression over sizes")
    if abs(result) >= MAX_INTEGER:
        raise ExpressionError(f"got a result beyond 2**62 in {ast.unparse(tree)}")
    return result


def arrays(text: str, values: Mapping[str, Array | float]) -> Array:
    """Evaluate an expression of the `arrays` dialect in float64.

    Reductions with an axis keep it with length 1, so that their results broadcast.
    Raises ExpressionError: an undefined name, shapes that do not fit, an array too large.
    """
    check_arrays(text, tuple(values))
    with np.errstate(all="ignore"):
        return np.asarray(_array(_parse(text), values))


def magnitude(text: str, values: Mapping[str, Array | float]) -> Array:
    """Evaluate the same formula on absolute values: minus becomes plus, inputs lose their sign.

    It bounds the sum of the absolute values of all terms, which the rounding errors of a sum scale
    with: for alpha * (A @ B) + beta * C it is |alpha| |A| |B| + |beta| |C|.
    Raises ExpressionError where that has no meaning (exp, sort, a division by an array, ...).
    """
    check_magnitude(text, tuple(values))
    with np.errstate(all="ignore"):
        return np.asarray(_magnitude(_parse(text), values))


def check_magnitude(text: str, names: Collection[str]) -> None:
    """Raise ExpressionError unless `magnitude` is defined for this expression."""
    check_arrays(text, names)
    for node in ast.walk(_parse(text)):
        if isinstance(node, ast.Call) and _function(node) not in {*_LINEAR, "abs", "where"}:
            raise ExpressionError(
                f"got {_function(node)}, for which the rule rounding has no bound; "
                "use ulp or allclose, or a reference.py with its own magnitude"
            )
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, (ast.Div, ast.Pow))
            and not isinstance(node.right, ast.Constant)
        ):
            raise ExpressionError(
                f"got {ast.unparse(node)}: the rule rounding needs a number right of / and **"
            )


def _array(tree: ast.expr, values: Mapping[str, Array | float]) -> Any:
    if isinstance(tree, ast.Constant):
        return np.float64(tree.value)  # type: ignore[arg-type]
    if isinstance(tree, ast.Name):
        return np.asarray(values[tree.id], dtype=np.float64)
    if isinstance(tree, ast.UnaryOp):
        return -_array(tree.operand, values)
    if isinstance(tree, ast.BinOp):
        return _apply(tree, tree.op, _array(tree.left, values), _array(tree.right, values))
    if isinstance(tree, ast.Compare):
        left, right = _array(tree.left, values), _array(tree.comparators[0], values)
        return _bounded(tree, _COMPARISONS[type(tree.ops[0])], left, right)
    return _call(tree, [_array(argument, values) for argument in _operands(tree)])


def _magnitude(tree: ast.expr, values: Mapping[str, Array | float]) -> Any:
    if isinstance(tree, (ast.Constant, ast.Name)):
        return np.abs(_array(tree, values))
    if isinstance(tree, ast.UnaryOp):
        return _magnitude(tree.operand, values)
    if isinstance(tree, ast.BinOp):
        operator = ast.Add() if isinstance(tree.op, ast.Sub) else tree.op
        left, right = _magnitude(tree.left, values), _magnitude(tree.right, values)
        return _apply(tree, operator, left, right)
    if isinstance(tree, ast.Call) and _function(tree) == "where":  # the condition keeps its signs
        branches = [_magnitude(argument, values) for argument in tree.args[1:]]
        return _call(tree, [_array(tree.args[0], values), *branches])
    if isinstance(tree, ast.Compare):
        return _array(tree, values)
    return _call(tree, [_magnitude(argument, values) for argument in _operands(tree)])


def _operands(tree: ast.expr) -> list[ast.expr]:
    """The array arguments of a call: all but the axis."""
    assert isinstance(tree, ast.Call)
    return tree.args[:1] if _function(tree) in _TAKES_AXIS else tree.args


def _apply(tree: ast.expr, operator: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(operator, ast.MatMult):
        if np.ndim(left) < 1 or np.ndim(right) < 1:
            raise ExpressionError(f"got {ast.unparse(tree)}, expected arrays left and right of @")
        rows = left.shape[:-1] if left.ndim > 1 else ()
        columns = right.shape[-1:] if right.ndim > 1 else ()
        if math.prod(rows) * math.prod(columns) > MAX_ELEMENTS:
            raise ExpressionError(f"got more than {MAX_ELEMENTS} elements in {ast.unparse(tree)}")
        return _fitted(tree, _OPERATORS[ast.MatMult], left, right)
    return _bounded(tree, _OPERATORS[type(operator)], left, right)


def _bounded(tree: ast.expr, function: Callable[..., Any], *operands: Any) -> Any:
    """Apply an elementwise function unless broadcasting would make a huge array."""
    try:
        shape = np.broadcast_shapes(*(np.shape(operand) for operand in operands))
    except ValueError:
        return _fitted(tree, function, *operands)
    if math.prod(shape) > MAX_ELEMENTS:
        raise ExpressionError(f"got more than {MAX_ELEMENTS} elements in {ast.unparse(tree)}")
    return _fitted(tree, function, *operands)


def _fitted(tree: ast.expr, function: Callable[..., Any], *operands: Any) -> Any:
    try:
        return function(*operands)
    except ValueError:
        shapes = " and ".join(str(np.shape(operand)) for operand in operands)
        raise ExpressionError(f"shapes {shapes} do not fit in {ast.unparse(tree)}") from None


def _call(tree: ast.expr, operands: list[Any]) -> Any:
    assert isinstance(tree, ast.Call)
    name = _function(tree)
    function = _ARRAY_FUNCTIONS[name][2]
    if name in _TAKES_AXIS and len(tree.args) == 2:
        axis = _axis(tree.args[1])
        return _fitted(tree, lambda x: function(x, axis), *operands)
    if name == "where" or name in {"maximum", "minimum"}:
        return _bounded(tree, function, *operands)
    return _fitted(tree, function, *operands)
