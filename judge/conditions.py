"""Comparisons of sizes, such as `kernel_size <= input_size`: a text and sizes in, a Boolean out."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Collection, Mapping

from judge import expr
from judge.expr import ExpressionError

_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}


def check(text: str, axes: Collection[str]) -> None:
    """Raise ExpressionError unless `text` compares two expressions of sizes over `axes`."""
    for side in _sides(text)[1:]:
        expr.check_sizes(side, axes)


def holds(text: str, values: Mapping[str, int]) -> bool:
    """Whether a comparison holds.  Raises ExpressionError, as `expr.sizes` does."""
    compare, left, right = _sides(text)
    return _COMPARISONS[compare](expr.sizes(left, values), expr.sizes(right, values))


@functools.lru_cache(maxsize=512)
def names(text: str) -> tuple[str, ...]:
    """The axes that an expression of sizes or a comparison names, each once."""
    nodes = list(ast.walk(expr.parse(text)))
    functions = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    found = [node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in functions]
    return tuple(dict.fromkeys(found))


@functools.lru_cache(maxsize=512)
def _sides(text: str) -> tuple[type[ast.cmpop], str, str]:
    """The comparison, and what is left and right of it."""
    tree = expr.parse(text)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        raise ExpressionError(f"got {text!r}, expected one comparison, such as K <= N")
    if type(tree.ops[0]) not in _COMPARISONS:
        raise ExpressionError(f"got {text!r}, expected one of < <= > >= == !=")
    return type(tree.ops[0]), ast.unparse(tree.left), ast.unparse(tree.comparators[0])
