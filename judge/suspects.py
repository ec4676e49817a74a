"""Why an output is wrong: the mistakes that give just the elements that are wrong.

In comes a Comparison with wrong elements, out come sentences.  A mistake is named only if it gives
nearly all the wrong elements, each within the tolerance an honest kernel with that mistake would
have; the right answer gives none of them.  Large outputs are judged by a sample of their rows and
columns, so that the answer comes in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from judge import expr
from judge.arithmetic import HALF_SUMS, MOST_TERMS, evaluate, has_sums
from judge.compare import Comparison, bits, judge_elements
from judge.elements import decode, encode
from judge.misplaced import constant, misplaced, multiples, named_indices
from judge.mistakes import Mistake, left_out, mistakes
from judge.model import Array, CallData, Expected, Spec, SpecError
from judge.samples import Sample, answer_of, reduced, take_sample
from judge.wronganswers import wrong_answers

# A mistake must give this share of the wrong elements: some threads may have made another one.
NEARLY_ALL = 0.95
# And at least this share of the wrong elements must be ones whose mistaken value is known.
KNOWN = 0.25
# Errors beyond this share of the output (root mean square) are no matter of precision.
FAR = 2.0**-3

_SUBJECTS = {True: "the output equals", False: "the wrong elements equal"}


@dataclass(frozen=True)
class Suspect:
    """A mistake that explains the wrong elements; `precision`: the formula was right."""

    words: str
    precision: bool = False


def suspects(
    spec: Spec, data: CallData, found: Comparison, before: Expected | None
) -> tuple[Suspect, ...]:
    """What may have gone wrong: the simplest mistake that explains it, after named indices.

    before: the right answer of the previous call, where there was one with the same sizes.
    """
    seen = tuple(Suspect(words) for words in named_indices(spec, data, found))
    one_number = constant(found)
    if one_number:
        # Zeros equal many a mistake; only that there was nothing to add says more.
        seen = (*seen, Suspect(one_number))
    else:
        for words in misplaced(spec, data, found, before):
            return (*seen, Suspect(words))
    rest = () if one_number else tuple(Suspect(words) for words in multiples(found))[:1]
    sample = take_sample(spec, data, found)
    if sample is None:
        return (*seen, *rest)
    by_inputs = left_out if one_number else mistakes
    for guesses in (
        _by_name(spec, data, found, sample),
        _by_inputs(spec, by_inputs(spec, data, found.argument), found, sample),
        _by_rounding(found, sample),
        _by_arithmetic(spec, data, found, sample),
    ):
        for suspect in guesses:
            return (*seen, suspect)
    return (*seen, *rest)


def _by_name(spec: Spec, data: CallData, found: Comparison, sample: Sample) -> Iterator[Suspect]:
    """The wrong answers that the problem itself names."""
    known = np.ones_like(sample.wrong)
    try:
        some = reduced(spec, data, sample)
        for words, answer in wrong_answers(spec, some, sample.expected, found.argument):
            if explains(answer, sample.got, sample.wrong, known, found):
                yield Suspect(f"{_subject(answer, sample, found)} {words}")
    except (SpecError, ValueError, ZeroDivisionError, IndexError):
        return  # a sample it has no answer for


def _subject(answer: Expected, sample: Sample, found: Comparison) -> str:
    """Whether all of the output is that answer, or only what is wrong."""
    whole = np.ones_like(sample.wrong)
    return _SUBJECTS[explains(answer, sample.got, whole, whole, found)]


def _by_inputs(
    spec: Spec, guesses: Iterable[Mistake], found: Comparison, sample: Sample
) -> Iterator[Suspect]:
    """Mistakes that are the reference of altered inputs."""
    if not np.isfinite(decode(sample.got[sample.wrong], found.argument.dtype)).any():
        return  # finite inputs, altered or not, have a finite answer
    for mistake in guesses:
        answer = answer_of(spec, reduced(spec, mistake.data, sample), found.argument.name)
        if answer is None:
            continue
        known = np.ones_like(sample.wrong)
        if mistake.other is not None:
            other = answer_of(spec, reduced(spec, mistake.other, sample), found.argument.name)
            known = known & (other is not None and other.value == answer.value)
        if explains(answer, sample.got, sample.wrong, known, found):
            whole = explains(answer, sample.got, known, known, found)
            subject = _SUBJECTS[whole]
            yield Suspect(f"{subject} the result with {mistake.words}", mistake.precision)


def explains(answer: Expected, got: Array, where: Array, known: Array, found: Comparison) -> bool:
    """Whether nearly all the elements chosen are the mistaken answer, as far as that is known.

    Shapes: all arrays alike; where and known are Boolean.
    """
    chosen = where & known
    if np.count_nonzero(chosen) < max(1, KNOWN * np.count_nonzero(where)):
        return False
    numbers = decode(got[chosen], found.argument.dtype)
    _, right = judge_elements(numbers, answer.value[chosen], answer.allowed[chosen])
    return bool(right.mean() >= NEARLY_ALL)


def _by_arithmetic(
    spec: Spec, data: CallData, found: Comparison, sample: Sample
) -> Iterator[Suspect]:
    """Sums in lower precision: the same output, or, summed in another order, errors of its size."""
    text = spec.reference.get(found.argument.name, "")
    truth = sample.expected.value.astype(np.float64)
    got = decode(sample.got, found.argument.dtype).astype(np.float64)
    finite = np.isfinite(got)
    error = _rms((got - truth)[finite])
    if not text or not found.argument.dtype.is_float or not has_sums(text):
        return
    if expr.sizes(spec.work, data.case.sizes) > MOST_TERMS * found.got.size:
        return
    far = error > FAR * _rms(truth)
    overflow = np.isinf(got).any()  # a sum beyond what the short type holds
    if not overflow and (far or not finite.all()):
        return
    values = environment(spec, reduced(spec, data, sample))
    for arithmetic in HALF_SUMS:
        result = encode(evaluate(text, values, arithmetic), found.argument.dtype)
        if result.shape != got.shape:
            return
        if np.mean((bits(result) == bits(sample.got))[sample.wrong]) >= NEARLY_ALL:
            yield Suspect(f"the output equals the result with {arithmetic.name}", precision=True)
        simulated = _rms(decode(result, found.argument.dtype) - truth)
        if finite.all() and simulated / 2 <= error <= simulated * 2:
            yield Suspect(
                f"errors as large as with {arithmetic.name} "
                f"(root mean square {error:.2g}, simulated {simulated:.2g})",
                precision=True,
            )


def _by_rounding(found: Comparison, sample: Sample) -> Iterator[Suspect]:
    """The right answer, cut instead of rounded when it was stored."""
    dtype = found.argument.dtype
    if not dtype.is_float:
        return
    truth = sample.expected.value
    stored = encode(truth, dtype)
    # The bits of a float grow with its magnitude: one less is the next number towards zero.
    cut = bits(stored) - (np.abs(decode(stored, dtype)) > np.abs(truth))
    if np.mean((cut == bits(sample.got))[sample.wrong]) >= NEARLY_ALL:
        words = f"the output is rounded towards zero, not to the nearest {dtype.value}"
        yield Suspect(words, precision=True)


def environment(spec: Spec, data: CallData) -> dict[str, Array | float]:
    """The names a reference expression may use: arrays as numbers, scalars and sizes."""
    arrays = {
        a.name: decode(data.arrays[a.name], a.dtype) for a in spec.arrays if a.name in data.arrays
    }
    return {**arrays, **data.case.sizes, **data.case.scalars}


def _rms(x: Array) -> float:
    """Root mean square; infinite where a number is not finite, 0 where there is none."""
    if not np.isfinite(x).all():
        return float("inf")
    return float(np.sqrt(np.mean(np.square(x)))) if x.size else 0.0
