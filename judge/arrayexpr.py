"""Expressions over arrays: the reference of a spec, in float64, and its magnitude.

The dialect is NumPy's, see `arrayfunctions.py`: operators broadcast, comparisons serve `where`.
See `expr.py` for what makes it safe; here the size of every result is bounded as well.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np

from judge import conditions, expr
from judge.arrayfunctions import ARRAYS, HAS_MAGNITUDE, JOINS, LARGEST
from judge.counted import counted
from judge.expr import (
    ExpressionError,
    Function,
    check,
    function_name,
    parse,
    size_parts,
    split_axis,
)
from judge.model import Array

MAX_ELEMENTS = 2**28  # of any array on the way to a result

Values = Mapping[str, "Array | float"]


def check_arrays(text: str, names: Collection[str]) -> None:
    """Raise ExpressionError unless `text` is an expression over these names."""
    check(parse(text), names, ARRAYS)


def check_magnitude(text: str, names: Collection[str]) -> None:
    """Raise ExpressionError unless `magnitude` is defined for this expression."""
    check_arrays(text, names)
    for node in _outside_conditions(parse(text)):
        if isinstance(node, ast.Call) and function_name(node) not in HAS_MAGNITUDE:
            raise ExpressionError(
                f"got {function_name(node)}, for which the rule rounding has no bound; "
                "use ulp or allclose, or a reference.py with its own magnitude"
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mod, ast.FloorDiv)):
            raise ExpressionError(
                f"got {ast.unparse(node)}, for which the rule rounding has no bound"
            )
        divides = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Pow))
        if isinstance(node, ast.BinOp) and divides and not isinstance(node.right, ast.Constant):
            raise ExpressionError(
                f"got {ast.unparse(node)}, expected a number right of / and ** under rounding"
            )


def _outside_conditions(tree: ast.expr) -> Iterator[ast.expr]:
    """The nodes of an expression; a condition keeps its signs, so what is in it does not count."""
    yield tree
    if not isinstance(tree, ast.Compare):
        parts = {id(part) for part in size_parts(tree, ARRAYS)}
        for child in ast.iter_child_nodes(tree):
            if isinstance(child, ast.expr) and id(child) not in parts:
                yield from _outside_conditions(child)


def arrays(text: str, values: Values) -> Array:
    """Evaluate an expression in float64.

    Raises ExpressionError: an undefined name, shapes that do not fit, an array too large.
    """
    check_arrays(text, values.keys())
    with np.errstate(all="ignore"):
        return np.asarray(_array(parse(text), values), dtype=np.float64)


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
    return _called(tree, values, lambda operand: _array(operand, values), ARRAYS.functions)


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
    functions = {**ARRAYS.functions, **_OF_MAGNITUDES}
    return _called(tree, values, lambda operand: _magnitude(operand, values), functions)


# Each is at most as far off as the largest of its operands.
_OF_MAGNITUDES = {
    "min": LARGEST["max"],
    "minimum": LARGEST["maximum"],
    "clip": Function(lambda x, low, high: np.maximum(x, np.maximum(low, high)), 3, 3),
}


def _called(
    tree: ast.expr,
    values: Values,
    evaluate: Callable[[ast.expr], Any],
    functions: Mapping[str, Function],
) -> Any:
    """A call or a slice."""
    if isinstance(tree, ast.Subscript):
        return _apply(tree, lambda x: x[_key(tree.slice, values)], evaluate(tree.value))
    assert isinstance(tree, ast.Call)  # all that check lets through
    function = functions[function_name(tree)]
    operands, axis = split_axis(tree, function)
    if function.axis:
        return _apply(tree, lambda x: function.call(x, axis), evaluate(operands[0]))
    sizes = [_size(part, values) for part in size_parts(tree, ARRAYS)]
    arrays = [evaluate(operand) for operand in operands[: function.sizes_from]]
    if function_name(tree) in JOINS:
        elements = sum(map(np.size, arrays)) if arrays else sizes[0]
        if not 0 <= elements <= MAX_ELEMENTS:
            raise ExpressionError(f"got {counted(elements, 'element')} in {ast.unparse(tree)}")
        return _apply(tree, lambda: function.call(*arrays, *sizes))
    return _apply(tree, function.call, *arrays)


def _size(tree: ast.expr, values: Values) -> int:
    """An expression of sizes among arrays."""
    text = ast.unparse(tree)
    named = {name: np.asarray(values[name]) for name in conditions.names(text)}
    for name, value in named.items():
        if value.ndim or value != np.rint(value):
            raise ExpressionError(f"got {name} in {text}, expected sizes only")
    return expr.sizes(text, {name: int(value) for name, value in named.items()})


def _key(tree: ast.expr, values: Values) -> Any:
    """What stands between the brackets of a slice."""
    if isinstance(tree, ast.Tuple):
        return tuple(_key(item, values) for item in tree.elts)
    if isinstance(tree, ast.Slice):
        ends = (tree.lower, tree.upper, tree.step)
        return slice(*(None if end is None else _size(end, values) for end in ends))
    if isinstance(tree, ast.Constant) and tree.value is Ellipsis:
        return Ellipsis
    return _size(tree, values)


def with_sizes(tree: ast.expr, values: Values) -> ast.expr:
    """A call or slice with each expression of sizes in it replaced by its number."""
    if not size_parts(tree, ARRAYS):
        return tree
    copied = copy.deepcopy(tree)
    parts = {id(part) for part in size_parts(copied, ARRAYS)}

    class Fixing(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            if id(node) in parts and isinstance(node, ast.expr):
                return ast.parse(str(_size(node, values)), mode="eval").body
            return self.generic_visit(node)

    fixed: ast.expr = Fixing().visit(copied)
    return fixed


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
    except (ValueError, IndexError):  # NumPy's AxisError is both
        shown = " and ".join(map(str, shapes))
        raise ExpressionError(f"shapes {shown} do not fit in {ast.unparse(tree)}") from None
