"""A spec is tested before a submission is: outputs that must pass and outputs that must not.

In come a spec and cases, out goes a row for each output made.  *Go* outputs are what honest kernels
give: the reference rounded, and float32 sums in other orders; they must be accepted.
*No-go* outputs are wrong on purpose: zeros, a copy of an input, an element stale, a term left out,
float16 sums; they must be refused.  A no-go output is `not applicable` only by a fact of the case
that is checked here and named in `why`; one that is accepted otherwise condemns the tolerance.

One rule is looser.  Lower precision (float16 sums, inputs cut to bfloat16) may hide under the
rounding of a case: a product of small integers is exact, a sum of one term is not accumulated.  It
must be refused in at least one case of the spec that has an arithmetic to lose (`verdicts`).  So
must each wrong answer that the problem names, and some case must differ from it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from judge import cases as case_room
from judge import expr, reference
from judge.arithmetic import FLOAT32_ORDERS, HALF_SUMS, Arithmetic, evaluate, has_sums
from judge.compare import compare, poison
from judge.elements import decode, encode
from judge.mistakes import cut_inputs, take, term_axes
from judge.model import Argument, Array, CallData, Case, Dtype, Expected, Role, Spec, SpecError
from judge.suspects import environment
from judge.wronganswers import wrong_answers

# Sums in another order are added term by term in Python; beyond this many steps a case is too long.
SLOW = 1 << 24


@dataclass(frozen=True)
class GaugeRow:
    """One output made on purpose, in one case.

    go:         must be accepted; otherwise must be refused
    usage:      error / allowed of its worst element
    applicable: False where it says nothing about the tolerance, for the reason in `why`
    precision:  must be refused in some case, not in every one
    named:      likewise, and some case must show it: a wrong answer that the problem names
    """

    case: Case
    output: str
    name: str
    go: bool
    usage: float
    accepted: bool
    applicable: bool = True
    why: str = ""
    precision: bool = False
    named: bool = False

    @property
    def passed(self) -> bool:
        """Whether this row alone is as it should be."""
        somewhere = self.precision or self.named
        return not self.applicable or somewhere or self.accepted == self.go


@dataclass(frozen=True)
class _Made:
    """An output made on purpose; `why` says what makes it not applicable, if anything does."""

    name: str
    stored: Array
    go: bool = False
    why: str = ""
    precision: bool = False
    named: bool = False


def gauge(spec: Spec, cases: Sequence[Case], seed: str) -> tuple[GaugeRow, ...]:
    """All rows of all cases, in case order."""
    return tuple(row for case in cases for row in _case_rows(spec, case, seed))


def verdicts(rows: Sequence[GaugeRow]) -> tuple[str, ...]:
    """What is wrong with the spec, a sentence each; empty if it tells right from wrong."""
    said = [_sentence(row) for row in rows if not row.passed]
    somewhere = [row for row in rows if row.precision or row.named]
    for output, name in dict.fromkeys((row.output, row.name) for row in somewhere):
        alike = [row for row in somewhere if (row.output, row.name) == (output, name)]
        tried = [row for row in alike if row.applicable]
        if not tried and alike[0].named:
            said.append(f"{output}: no case shows {name}: it is the right answer in all of them")
        if tried and all(row.accepted for row in tried):
            usage = max(row.usage for row in tried)
            said.append(
                f"{output}: tolerance accepts {name} in all {len(tried)} cases that could show it "
                f"(largest usage {usage:.3g}); expected a refusal in at least one"
            )
    return tuple(said)


def _sentence(row: GaugeRow) -> str:
    what = "refuses" if row.go else "accepts"
    usage = f"usage {row.usage:.3g}"
    return f"{row.case.id}: {row.output}: tolerance {what} {row.name} ({usage})"


def _case_rows(spec: Spec, case: Case, seed: str) -> Iterator[GaugeRow]:
    data = case_room.make(spec, case, seed, 0)
    other = case_room.make(spec, case, seed, 1)
    answers, others = reference.expected(spec, data), reference.expected(spec, other)
    for argument in spec.outputs:
        answer = answers[argument.name]
        numbers = decode(encode(answer.value, argument.dtype), argument.dtype)
        for made in _all(spec, data, argument, answer, others[argument.name]):
            found = compare(argument, made.stored, answer, data.before(argument))
            same = np.array_equal(decode(made.stored, argument.dtype), numbers, equal_nan=True)
            why = made.why
            if same and not made.go:
                why = why or "it is the right answer in this case"
            yield GaugeRow(
                case=case,
                output=argument.name,
                name=made.name,
                go=made.go,
                usage=found.usage,
                accepted=not found.wrong.any(),
                applicable=not why,
                why=why,
                precision=made.precision,
                named=made.named,
            )


def _all(
    spec: Spec, data: CallData, argument: Argument, answer: Expected, other: Expected
) -> Iterator[_Made]:
    right = encode(answer.value, argument.dtype)
    yield _Made("the reference, rounded", right, go=True)
    yield from _orders(spec, data, argument)
    yield from _constants(data, argument, right)
    yield from _copies(spec, data, argument, right)
    yield from _stale(right, encode(other.value, argument.dtype))
    yield from _moved(right)
    yield from _terms(spec, data, argument)
    yield from _precisions(spec, data, argument)
    for words, wrong in wrong_answers(spec, data, answer, argument):
        yield _Made(words, encode(wrong.value, argument.dtype), named=True)


def _orders(spec: Spec, data: CallData, argument: Argument) -> Iterator[_Made]:
    """Go: float32 sums in four orders."""
    text = spec.reference.get(argument.name, "")
    if not argument.dtype.is_float or not has_sums(text):
        return
    for arithmetic in FLOAT32_ORDERS:
        stored, why = _evaluated(spec, data, argument, arithmetic)
        yield _Made(f"sums in {arithmetic.name}", stored, go=True, why=why)


def _evaluated(
    spec: Spec, data: CallData, argument: Argument, arithmetic: Arithmetic
) -> tuple[Array, str]:
    """The output of that arithmetic; the right answer, and why, where it would take too long."""
    if expr.sizes(spec.work, data.case.sizes) > SLOW:
        right = reference.expected(spec, data)[argument.name].value
        return encode(right, argument.dtype), f"more than {SLOW} operations to do one by one"
    value = evaluate(spec.reference[argument.name], environment(spec, data), arithmetic)
    return encode(value, argument.dtype), ""


def _constants(data: CallData, argument: Argument, right: Array) -> Iterator[_Made]:
    """Nothing computed at all."""
    zeros = np.zeros_like(right)
    yield _Made("zeros", zeros)
    yield _Made("ones", encode(np.ones(right.shape), argument.dtype))
    numbers = decode(right, argument.dtype)
    mean = encode(np.full(right.shape, numbers[np.isfinite(numbers)].mean()), argument.dtype)
    yield _Made("its own mean everywhere", mean)
    before = data.before(argument)
    if before is None:
        before = np.broadcast_to(poison(argument.dtype), right.shape).copy()
    if argument.role is Role.OUT:
        yield _Made("never written", before)


def _copies(spec: Spec, data: CallData, argument: Argument, right: Array) -> Iterator[_Made]:
    """An input of the right size, and an output left as it was."""
    for source in spec.arrays:
        array = data.arrays.get(source.name)
        if array is not None and array.size == right.size and source.dtype is argument.dtype:
            yield _Made(f"a copy of {source.name}", array.reshape(right.shape))


def _stale(right: Array, other: Array) -> Iterator[_Made]:
    """The answer to other inputs, in all elements and in the last one only."""
    yield _Made("the answer to other inputs", other)
    one = right.copy()
    one.reshape(-1)[-1] = other.reshape(-1)[-1]
    yield _Made("one element stale", one)


def _moved(right: Array) -> Iterator[_Made]:
    """The last index of each dimension left out, two exchanged, all one too late."""
    for dimension, size in enumerate(right.shape):
        name = {1: "column", 2: "row"}.get(
            right.ndim - dimension, f"index of dimension {dimension}"
        )
        name = "element" if right.ndim == 1 else name
        last = right.copy()
        np.moveaxis(last, dimension, 0)[-1] = 0
        yield _Made(f"the last {name} left out", last)
        if size > 1:
            exchanged = np.take(right, [*range(size - 2), size - 1, size - 2], dimension)
            yield _Made(f"the last {name} exchanged with the one before", exchanged)
            yield _Made(f"each {name} one too late", np.roll(right, 1, dimension))


def _terms(spec: Spec, data: CallData, argument: Argument) -> Iterator[_Made]:
    """The last term of each sum left out."""
    for axis in term_axes(spec, argument):
        size = data.case.sizes[axis]
        if size > 1:
            short = take(spec, data, axis, slice(0, size - 1), size - 1)
            result = encode(reference.expected(spec, short)[argument.name].value, argument.dtype)
            yield _Made(f"the last {axis} left out", result)


def _precisions(spec: Spec, data: CallData, argument: Argument) -> Iterator[_Made]:
    """Lower precision than the spec asks for."""
    right = reference.expected(spec, data)[argument.name]
    for mistake in cut_inputs(spec, data):
        value, why = right.value, "numbers beyond the shorter type"
        with contextlib.suppress(SpecError):
            value = reference.expected(spec, mistake.data)[argument.name].value
            why = "the inputs have no bits to lose" if np.array_equal(value, right.value) else ""
        stored = encode(value, argument.dtype)
        yield _Made(f"with {mistake.words}", stored, precision=True, why=why)
    text = spec.reference.get(argument.name, "")
    asked = spec.tolerance[argument.name].accumulate
    if not argument.dtype.is_float or not has_sums(text) or asked is Dtype.FLOAT16:
        return
    rounded = encode(right.value, argument.dtype)
    for arithmetic in HALF_SUMS:
        stored, why = _evaluated(spec, data, argument, arithmetic)
        if not why and np.array_equal(stored, rounded):
            why = "every step is exact in float16 here"
        yield _Made(f"with {arithmetic.name}", stored, precision=True, why=why)
