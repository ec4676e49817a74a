"""Arithmetic expressions of a spec: a text and its names in, an exact integer out.

Nothing is executed: the text is parsed to Python's syntax tree, and only the nodes, names and
functions of a Dialect are evaluated, each with bounds on size, depth and result.  The dialect here
is `SIZES`, over the size axes: shapes, work, terms.  `arrayexpr.py` has the one of references.
"""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from judge.counted import counted
from judge.model import UserError

MAX_LENGTH = 1000  # characters
MAX_DEPTH = 40  # nested levels
MAX_INTEGER = 2**62
MAX_EXPONENT = 62


class ExpressionError(UserError):
    """One line that says what is wrong with an expression, without the place."""


@dataclass(frozen=True)
class Function:
    """A function an expression may call, with its least and most arguments.

    axis:       the second argument is an axis, a literal such as 0 or -1
    sizes_from: arguments from this one on are expressions of sizes
    """

    call: Callable[..., Any]
    least: int = 1
    most: int = 1
    axis: bool = False
    sizes_from: int | None = None


@dataclass(frozen=True)
class Dialect:
    """What an expression may say: functions by name, operators, whether it may compare or slice."""

    functions: Mapping[str, Function]
    operators: Mapping[type[ast.operator], Callable[[Any, Any], Any]]
    comparisons: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]]
    slices: bool = False


def _ceil_log2(n: int) -> int:
    """log2 rounded up; 0 for 1 and what is below."""
    return max(0, n - 1).bit_length()


SIZES = Dialect(
    functions={
        "min": Function(min, 2, 8),
        "max": Function(max, 2, 8),
        "abs": Function(abs),
        "ceil_div": Function(lambda a, b: -(-a // b), 2, 2),
        "ceil_log2": Function(_ceil_log2),
    },
    operators={
        ast.Add: lambda a, b: a + b,
        ast.Sub: lambda a, b: a - b,
        ast.Mult: lambda a, b: a * b,
        ast.FloorDiv: lambda a, b: a // b,
        ast.Mod: lambda a, b: a % b,
        ast.Pow: lambda a, b: a**b,
    },
    comparisons={},
)
_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip


# --------------------------------------------------------------------------------------------------
# Reading and checking, for every dialect


@functools.lru_cache(maxsize=512)
def parse(text: str) -> ast.expr:
    """The syntax tree of an expression, of bounded length and depth; nothing else is checked."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"got {counted(len(text), 'character')}, expected at most {MAX_LENGTH}"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        shown = text if len(text) <= 60 else text[:57] + "..."
        raise ExpressionError(f"got {shown!r}, expected an expression like 2 * M * N") from None
    level, depth = [tree], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ExpressionError(f"got more than {MAX_DEPTH} nested levels, expected fewer")
        below = (child for node in level for child in ast.iter_child_nodes(node))
        level = [child for child in below if isinstance(child, ast.expr)]
    return tree


def check(tree: ast.expr, names: Collection[str], dialect: Dialect) -> None:
    """Raise ExpressionError unless the tree says only what the dialect and the names allow."""
    if isinstance(tree, ast.Constant):
        if isinstance(tree.value, bool) or not isinstance(tree.value, (int, float)):
            raise ExpressionError(f"got {tree.value!r}, expected a number")
        if not abs(tree.value) < MAX_INTEGER:
            raise ExpressionError("got a number beyond 2**62, expected a smaller one")
    elif isinstance(tree, ast.Name):
        if tree.id not in names:
            raise ExpressionError(f"got the name {tree.id}, expected one of {', '.join(names)}")
    elif isinstance(tree, ast.BinOp):
        if type(tree.op) not in dialect.operators:
            sign = _SIGNS.get(type(tree.op), type(tree.op).__name__)
            signs = " ".join(_SIGNS[operator] for operator in dialect.operators)
            raise ExpressionError(f"got the operator {sign}, expected one of {signs}")
        check(tree.left, names, dialect)
        check(tree.right, names, dialect)
    elif isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        check(tree.operand, names, dialect)
    elif isinstance(tree, ast.Compare) and dialect.comparisons:
        if len(tree.ops) != 1 or type(tree.ops[0]) not in dialect.comparisons:
            raise ExpressionError(f"got {ast.unparse(tree)!r}, expected one of < <= > >= == !=")
        check(tree.left, names, dialect)
        check(tree.comparators[0], names, dialect)
    elif isinstance(tree, ast.Call):
        for argument in _checked_arguments(tree, dialect):
            check(argument, names, dialect)
        for part in size_parts(tree, dialect):
            check(part, names, SIZES)
    elif isinstance(tree, ast.Subscript) and dialect.slices:
        check(tree.value, names, dialect)
        for part in size_parts(tree, dialect):
            check(part, names, SIZES)
    else:
        raise ExpressionError(f"got {ast.unparse(tree)!r}, expected names, numbers and operators")


def _checked_arguments(call: ast.Call, dialect: Dialect) -> list[ast.expr]:
    """The operands of a call, once its function and their number are known to be right."""
    name = function_name(call)
    if name not in dialect.functions:
        known = ", ".join(dialect.functions)
        raise ExpressionError(f"got the function {name}, expected one of {known}")
    function = dialect.functions[name]
    plain = not call.keywords and not any(isinstance(a, ast.Starred) for a in call.args)
    if not plain or not function.least <= len(call.args) <= function.most:
        count = " to ".join(map(str, dict.fromkeys((function.least, function.most))))
        raise ExpressionError(f"got {name} with other arguments, expected {count} plain ones")
    return split_axis(call, function)[0][: function.sizes_from]


def size_parts(tree: ast.expr, dialect: Dialect) -> list[ast.expr]:
    """The expressions of sizes in a slice `x[a:b, i]`, or among the arguments of a call."""
    if isinstance(tree, ast.Call):
        first = dialect.functions[function_name(tree)].sizes_from
        return [] if first is None else tree.args[first:]
    if not isinstance(tree, ast.Subscript):
        return []
    keys = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    parts: list[ast.expr | None] = []
    for key in keys:
        if isinstance(key, ast.Slice):
            parts += [key.lower, key.upper, key.step]
        elif not (isinstance(key, ast.Constant) and key.value is Ellipsis):
            parts.append(key)
    return [part for part in parts if part is not None]


def function_name(call: ast.Call) -> str:
    """The name a call calls, or the text of what it calls, which no dialect knows."""
    return call.func.id if isinstance(call.func, ast.Name) else ast.unparse(call.func)


def split_axis(call: ast.Call, function: Function) -> tuple[list[ast.expr], int | None]:
    """The operands of a call and its axis argument, if it has one."""
    if not function.axis or len(call.args) < 2:
        return call.args, None
    node, sign = call.args[1], 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value < 8:
        return call.args[:1], sign * node.value
    shown = ast.unparse(call.args[1])
    raise ExpressionError(f"got the axis {shown}, expected a literal such as 0 or -1")


# --------------------------------------------------------------------------------------------------
# Sizes


def check_sizes(text: str, axes: Collection[str]) -> None:
    """Raise ExpressionError unless `text` is an expression of sizes over `axes`."""
    _checked_sizes(text, tuple(axes))


@functools.lru_cache(maxsize=512)
def _checked_sizes(text: str, axes: tuple[str, ...]) -> ast.expr:
    """The tree of an expression of sizes, checked once: plans evaluate it a thousand times."""
    tree = parse(text)
    check(tree, axes, SIZES)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and not isinstance(node.value, int):
            raise ExpressionError(f"got {node.value!r}, expected integers; // divides")
    return tree


def sizes(text: str, values: Mapping[str, int]) -> int:
    """Evaluate an expression of sizes: exact integers, every step below 2**62.

    Raises ExpressionError: an undefined name, a division by zero, a result out of bounds.
    """
    return _size(_checked_sizes(text, tuple(values)), values)


def _size(tree: ast.expr, values: Mapping[str, int]) -> int:
    result: int
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int):
        result = tree.value
    elif isinstance(tree, ast.Name):
        result = values[tree.id]
    elif isinstance(tree, ast.UnaryOp):
        result = -_size(tree.operand, values)
    elif isinstance(tree, ast.BinOp):
        left, right = _size(tree.left, values), _size(tree.right, values)
        if isinstance(tree.op, ast.Pow) and not 0 <= right <= MAX_EXPONENT:
            raise ExpressionError(f"got the exponent {right}, expected 0 to {MAX_EXPONENT}")
        if isinstance(tree.op, (ast.FloorDiv, ast.Mod)) and right == 0:
            raise ExpressionError(f"got a division by zero in {ast.unparse(tree)}")
        result = SIZES.operators[type(tree.op)](left, right)
    elif isinstance(tree, ast.Call):
        operands = [_size(argument, values) for argument in tree.args]
        if function_name(tree) == "ceil_div" and operands[1] == 0:
            raise ExpressionError(f"got a division by zero in {ast.unparse(tree)}")
        result = SIZES.functions[function_name(tree)].call(*operands)
    else:
        raise ExpressionError(f"got {ast.unparse(tree)}, expected integers")
    if abs(result) >= MAX_INTEGER:
        raise ExpressionError(f"got a result beyond 2**62 in {ast.unparse(tree)}")
    return result
