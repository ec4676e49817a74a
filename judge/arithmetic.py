"""A reference expression in another arithmetic: float16 sums, float32 sums in another order.

In comes the expression of a spec and float arrays, out goes what a kernel with that arithmetic
would leave in its accumulator.  Serves two rooms: suspects (which arithmetic did the submission
use?) and gauge (does the tolerance refuse float16 sums and accept float32 sums in any order?).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from judge import arrayexpr
from judge.elements import rounded
from judge.model import Array, Dtype

# Sums in a shorter type than float32 are added term by term in Python: more take too long.
MOST_TERMS = 1 << 14

Term = Callable[[int], Array]


@dataclass(frozen=True)
class Arithmetic:
    """How a kernel computes: every result is rounded to `dtype`, sums run in `order`.

    order: `forward`, `reversed`, `blocked` (partial sums of 32 terms, as tiles make) or `pairwise`
    fused: products are not rounded before they are added (fused multiply-add)
    sums:  only sums are kept in `dtype`; what happens to them afterwards is float32
    """

    name: str
    dtype: Dtype
    order: str = "forward"
    fused: bool = True
    sums: bool = False

    def round(self, x: Array) -> Array:
        """The nearest numbers of `dtype`, as float32 (float64 for float64)."""
        if self.dtype is Dtype.BFLOAT16:
            return rounded(x, self.dtype).astype(np.float32)
        with np.errstate(over="ignore"):
            shorter = x.astype(self.dtype.storage)
        return shorter.astype(np.float32) if self.dtype is Dtype.FLOAT16 else shorter


FLOAT32_ORDERS = tuple(
    Arithmetic(f"float32, {order}", Dtype.FLOAT32, order)
    for order in ("forward", "reversed", "blocked", "pairwise")
)
HALF_SUMS = (
    Arithmetic("sums kept in float16", Dtype.FLOAT16, sums=True),
    Arithmetic("products and sums kept in float16", Dtype.FLOAT16, fused=False, sums=True),
    Arithmetic("every step in float16", Dtype.FLOAT16),
    Arithmetic("every step in float16, products too", Dtype.FLOAT16, fused=False),
)


def evaluate(text: str, values: Mapping[str, Array | float], arithmetic: Arithmetic) -> Array:
    """The expression's value in that arithmetic, not yet rounded to the output type."""
    wide = np.float64 if arithmetic.dtype is Dtype.FLOAT64 else np.float32
    names = {name: np.asarray(value, dtype=wide) for name, value in values.items()}
    with np.errstate(all="ignore"):
        return _node(ast.parse(text.strip(), mode="eval").body, names, arithmetic)


def has_sums(text: str) -> bool:
    """Whether the expression adds up terms, so that order and accumulator can matter."""
    return any(_is_product(node) or _is_sum(node) for node in ast.walk(ast.parse(text.strip())))


def _is_product(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)


def _is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"sum", "mean"}


def _node(node: ast.expr, names: Mapping[str, Array], arithmetic: Arithmetic) -> Array:
    """Evaluate a node: sums term by term, all else by one step of the spec's own evaluator."""
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.BinOp) and _is_product(node):
        left, right = _node(node.left, names, arithmetic), _node(node.right, names, arithmetic)
        return _matmul(left, right, arithmetic)
    if isinstance(node, ast.Call) and _is_sum(node):
        x = _node(node.args[0], names, arithmetic)
        axis = ast.literal_eval(node.args[1]) if len(node.args) > 1 else None
        total = _sum(x, axis, arithmetic)
        count = x.size if axis is None else x.shape[axis]
        mean = getattr(node.func, "id", "") == "mean"
        return arithmetic.round(total / np.float32(count)) if mean else total
    step, operands = _one_step(node, names, arithmetic)
    result = np.asarray(arrayexpr.arrays(step, operands))
    return result.astype(np.float32) if arithmetic.sums else arithmetic.round(result)


def _one_step(
    node: ast.expr, names: Mapping[str, Array], arithmetic: Arithmetic
) -> tuple[str, dict[str, Array | float]]:
    """The node with its operands evaluated and replaced by names: `x0 + x1`, `exp(x0)`."""
    operands: dict[str, Array | float] = {}

    def held(child: ast.expr) -> ast.expr:
        if isinstance(child, ast.Constant) or (
            isinstance(child, ast.UnaryOp) and isinstance(child.operand, ast.Constant)
        ):
            return child
        name = f"x{len(operands)}"
        operands[name] = _node(child, names, arithmetic)
        return ast.Name(name)

    node = arrayexpr.with_sizes(node, names)
    if isinstance(node, ast.Subscript):
        return ast.unparse(ast.Subscript(held(node.value), node.slice)), operands
    if isinstance(node, ast.BinOp):
        return ast.unparse(ast.BinOp(held(node.left), node.op, held(node.right))), operands
    if isinstance(node, ast.UnaryOp):
        return ast.unparse(ast.UnaryOp(node.op, held(node.operand))), operands
    if isinstance(node, ast.Compare):
        right = [held(child) for child in node.comparators]
        return ast.unparse(ast.Compare(held(node.left), node.ops, right)), operands
    if isinstance(node, ast.Call):
        return ast.unparse(ast.Call(node.func, [held(a) for a in node.args], [])), operands
    return ast.unparse(node), operands


def _matmul(left: Array, right: Array, arithmetic: Arithmetic) -> Array:
    """left @ right, one term of the inner axis at a time.

    Shapes: left (..., M, K) or (K,), right (..., K, N) or (K,).
    """
    a = left[np.newaxis, :] if left.ndim == 1 else left
    b = right[:, np.newaxis] if right.ndim == 1 else right

    def term(k: int) -> Array:
        product: Array = a[..., :, k, np.newaxis] * b[..., np.newaxis, k, :]
        return product if arithmetic.fused else arithmetic.round(product)

    if a.shape[-1] == 0:
        return np.asarray(left @ right)
    total = _total(term, a.shape[-1], arithmetic)
    total = total[..., 0, :] if left.ndim == 1 else total
    return total[..., 0] if right.ndim == 1 else total


def _sum(x: Array, axis: int | None, arithmetic: Arithmetic) -> Array:
    """The sum of all elements, or over one axis, which is kept with length 1."""
    terms = x.reshape(-1) if axis is None else np.moveaxis(x, axis, 0)
    if arithmetic.dtype is Dtype.FLOAT32 and len(terms):
        total = _float32_total(terms, arithmetic)
    else:
        total = _total(lambda k: terms[k], len(terms), arithmetic)
    return total if axis is None else np.expand_dims(total, axis)


def _total(term: Term, count: int, arithmetic: Arithmetic) -> Array:
    """The sum of `count` terms in the order of the arithmetic, rounded after every addition."""
    indices = range(count)[::-1] if arithmetic.order == "reversed" else range(count)
    width = {"blocked": 32, "pairwise": 8}.get(arithmetic.order, count)
    partial = [
        _chain(map(term, indices[start : start + width]), arithmetic)
        for start in range(0, count, width)
    ]
    while arithmetic.order == "pairwise" and len(partial) > 1:
        partial = [_chain(partial[i : i + 2], arithmetic) for i in range(0, len(partial), 2)]
    return _chain(partial, arithmetic)


def _float32_total(terms: Array, arithmetic: Arithmetic) -> Array:
    """The same as `_total` of float32 terms, all chains at once: long sums take no long loop."""
    terms = terms[::-1] if arithmetic.order == "reversed" else terms
    width = {"blocked": 32, "pairwise": 8}.get(arithmetic.order, len(terms))
    whole = len(terms) // width * width
    blocks = terms[:whole].reshape(-1, width, *terms.shape[1:])
    partial = np.add.accumulate(blocks, axis=1)[:, -1]
    if whole < len(terms):
        partial = np.concatenate([partial, np.add.accumulate(terms[whole:], axis=0)[-1:]])
    while arithmetic.order == "pairwise" and len(partial) > 1:
        pairs = partial[: len(partial) // 2 * 2].reshape(-1, 2, *terms.shape[1:])
        partial = np.concatenate([pairs[:, 0] + pairs[:, 1], partial[len(pairs) * 2 :]])
    total: Array = np.add.accumulate(partial, axis=0)[-1]
    return total


def _chain(terms: Iterable[Array], arithmetic: Arithmetic) -> Array:
    """Add terms one after the other, rounding every partial sum."""
    total: Array | None = None
    for term in terms:
        total = arithmetic.round(term if total is None else total + term)
    assert total is not None
    return total
