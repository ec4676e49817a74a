"""Outputs made on purpose, right ones and wrong ones: what the gauge holds a tolerance against.

A room of `gauge.py`.  Everything is made in NumPy from inputs and the reference, by no submission.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from judge import expr, reference
from judge.arithmetic import (
    FLOAT32_ORDERS,
    HALF_SUMS,
    MOST_TERMS,
    Arithmetic,
    evaluate,
    has_sums,
)
from judge.axes import broken
from judge.compare import poison
from judge.elements import decode, encode
from judge.mistakes import cut_inputs, take, term_axes
from judge.model import Argument, Array, CallData, Dtype, Expected, Role, Spec, SpecError
from judge.suspects import environment
from judge.wronganswers import wrong_answers

# Sums in another order are added term by term in Python; beyond this many steps a case is too long.
SLOW = 1 << 24
# Beyond so many terms what rounding may cost comes near the size of a term; exact sums hide none.
LONG = 4096


@dataclass(frozen=True)
class Made:
    """An output made on purpose; `why` says what makes it not applicable, if anything does."""

    name: str
    stored: Array
    go: bool = False
    why: str = ""
    precision: bool = False
    named: bool = False


def made_outputs(
    spec: Spec, data: CallData, argument: Argument, answer: Expected, other: Expected
) -> Iterator[Made]:
    """All outputs made for one output of a call; `other`: the right answer to other inputs."""
    right = encode(answer.value, argument.dtype)
    yield Made("the reference, rounded", right, go=True)
    yield from _orders(spec, data, argument)
    yield from _constants(data, argument, right)
    yield from _copies(spec, data, argument, right)
    yield from _stale(right, encode(other.value, argument.dtype))
    yield from _moved(right)
    yield from _terms(spec, data, argument, right)
    yield from _precisions(spec, data, argument)
    for words, wrong in wrong_answers(spec, data, answer, argument):
        yield Made(words, encode(wrong.value, argument.dtype), named=True)


def _orders(spec: Spec, data: CallData, argument: Argument) -> Iterator[Made]:
    """Go: float32 sums in four orders."""
    text = spec.reference.get(argument.name, "")
    if not argument.dtype.is_float or not has_sums(text):
        return
    for arithmetic in FLOAT32_ORDERS:
        stored, why = _evaluated(spec, data, argument, arithmetic)
        yield Made(f"sums in {arithmetic.name}", stored, go=True, why=why)


def _evaluated(
    spec: Spec, data: CallData, argument: Argument, arithmetic: Arithmetic
) -> tuple[Array, str]:
    """The output of that arithmetic; the right answer, and why, where it would take too long."""
    right = reference.expected(spec, data)[argument.name].value
    work = expr.sizes(spec.work, data.case.sizes)
    if work > SLOW:
        return encode(right, argument.dtype), f"more than {SLOW} operations to do one by one"
    if arithmetic.dtype is not Dtype.FLOAT32 and work > MOST_TERMS * right.size:
        return encode(right, argument.dtype), f"more than {MOST_TERMS} terms to add one by one"
    value = evaluate(spec.reference[argument.name], environment(spec, data), arithmetic)
    return encode(value, argument.dtype), ""


def _constants(data: CallData, argument: Argument, right: Array) -> Iterator[Made]:
    """Nothing computed at all."""
    zeros = np.zeros_like(right)
    yield Made("zeros", zeros)
    yield Made("ones", encode(np.ones(right.shape), argument.dtype))
    numbers = decode(right, argument.dtype)
    mean = encode(np.full(right.shape, numbers[np.isfinite(numbers)].mean()), argument.dtype)
    yield Made("its own mean everywhere", mean)
    before = data.before(argument)
    if before is None:
        before = np.broadcast_to(poison(argument.dtype), right.shape).copy()
    if argument.role is Role.OUT:
        yield Made("never written", before)


def _copies(spec: Spec, data: CallData, argument: Argument, right: Array) -> Iterator[Made]:
    """An input of the right size, and an output left as it was."""
    for source in spec.arrays:
        array = data.arrays.get(source.name)
        if array is not None and array.size == right.size and source.dtype is argument.dtype:
            yield Made(f"a copy of {source.name}", array.reshape(right.shape))


def _stale(right: Array, other: Array) -> Iterator[Made]:
    """The answer to other inputs, in all elements and in the last one only."""
    yield Made("the answer to other inputs", other)
    one = right.copy()
    one.reshape(-1)[-1] = other.reshape(-1)[-1]
    yield Made("one element stale", one)


def _moved(right: Array) -> Iterator[Made]:
    """The last index of each dimension left out, two exchanged, all one too late."""
    for dimension, size in enumerate(right.shape):
        name = {1: "column", 2: "row"}.get(
            right.ndim - dimension, f"index of dimension {dimension}"
        )
        name = "element" if right.ndim == 1 else name
        last = right.copy()
        np.moveaxis(last, dimension, 0)[-1] = 0
        yield Made(f"the last {name} left out", last)
        if size > 1:
            exchanged = np.take(right, [*range(size - 2), size - 1, size - 2], dimension)
            yield Made(f"the last {name} exchanged with the one before", exchanged)
            yield Made(f"each {name} one too late", np.roll(right, 1, dimension))


def _terms(spec: Spec, data: CallData, argument: Argument, right: Array) -> Iterator[Made]:
    """The last term of each sum left out."""
    for axis in term_axes(spec, argument):
        size = data.case.sizes[axis]
        if size > 1:
            name = f"the last {axis} left out"
            short = take(spec, data, axis, slice(0, size - 1), size - 1)
            if broken(spec.axes, spec.require, short.case.sizes):
                yield Made(name, right, why=f"the spec requires the last {axis} here")
                continue
            result = encode(reference.expected(spec, short)[argument.name].value, argument.dtype)
            hides = size > LONG and not spec.family(data.case.family).exact
            why = f"one of more than {LONG} terms may hide under their rounding" if hides else ""
            yield Made(name, result, why=why)


def _precisions(spec: Spec, data: CallData, argument: Argument) -> Iterator[Made]:
    """Lower precision than the spec asks for."""
    right = reference.expected(spec, data)[argument.name]
    for mistake in cut_inputs(spec, data):
        value, why = right.value, "numbers beyond the shorter type"
        with contextlib.suppress(SpecError):
            value = reference.expected(spec, mistake.data)[argument.name].value
            why = "the inputs have no bits to lose" if np.array_equal(value, right.value) else ""
        stored = encode(value, argument.dtype)
        yield Made(f"with {mistake.words}", stored, precision=True, why=why)
    text = spec.reference.get(argument.name, "")
    asked = spec.tolerance[argument.name].accumulate
    if not argument.dtype.is_float or not has_sums(text) or asked is Dtype.FLOAT16:
        return
    rounded = encode(right.value, argument.dtype)
    for arithmetic in HALF_SUMS:
        stored, why = _evaluated(spec, data, argument, arithmetic)
        if not why and np.array_equal(stored, rounded):
            why = "every step is exact in float16 here"
        yield Made(f"with {arithmetic.name}", stored, precision=True, why=why)
