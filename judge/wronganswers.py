"""The plausible wrong answers that a problem names: outputs that must be refused, and recognised.

They come from `wrong:` of a problem.yaml, in expressions, and from `wrong` of a reference.py:

    wrong(arrays, sizes, scalars) -> {"words that follow `the output equals`": {output: array}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from judge import arrayexpr, elements, paths, reference, speccheck, tolerance
from judge.expr import ExpressionError
from judge.model import Argument, Array, CallData, Expected, Spec, SpecError


def wrong_answers(
    spec: Spec, data: CallData, right: Expected, output: Argument
) -> Iterator[tuple[str, Expected]]:
    """The words for each mistake, and what one output holds then.

    right: the right answer of this output
    `allowed` is how far from it an honest kernel with that mistake may land.
    """
    exact = spec.family(data.case.family).exact or not output.dtype.is_float
    for words, answers in _answers(spec, data):
        if output.name not in answers:
            continue
        value = _stored(spec, words, output, answers[output.name], right.value.shape)
        allowed = np.zeros(value.shape)
        if not exact:
            allowed = _allowed(spec, output, value, right)
        yield words, Expected(value, allowed)


def _answers(spec: Spec, data: CallData) -> Iterator[tuple[str, Mapping[str, Any]]]:
    arrays, sizes, scalars = reference.inputs(spec, data)
    names: dict[str, Any] = {**arrays, **sizes, **scalars}
    for words, expressions in spec.wrong.items():
        try:
            yield words, {n: arrayexpr.arrays(text, names) for n, text in expressions.items()}
        except ExpressionError as error:
            raise SpecError(paths.shown(spec.path), 0, f"wrong.{words}", str(error)) from None
    if spec.reference_path is not None:
        function = getattr(reference.module(spec.reference_path), "wrong", None)
        if function is not None:
            with np.errstate(all="ignore"):
                yield from function(arrays, sizes, scalars).items()


def _stored(spec: Spec, words: str, output: Argument, value: Any, shape: tuple[int, ...]) -> Array:
    """A wrong answer as the output holds it: rounded, or wrapped around as integers are."""
    found = np.asarray(value)
    if found.dtype.kind not in "fiub" or not speccheck.fitting(found.shape, shape):
        message = f"got shape {found.shape} of {found.dtype}, expected {shape} as {output.name}"
        raise SpecError(paths.shown(spec.reference_path or spec.path), 0, f"wrong.{words}", message)
    found = found.reshape(shape)
    if output.dtype.is_float:
        return elements.rounded(found.astype(np.float64), output.dtype)
    if found.dtype.kind == "f":
        found = np.nan_to_num(np.rint(found)).astype(np.int64)
    return found.astype(output.dtype.storage)


def _allowed(spec: Spec, output: Argument, value: Array, right: Expected) -> Array:
    """The rule's allowance around a wrong answer; as wide as it is larger than the right one."""
    rule = spec.tolerance[output.name]
    if rule.rule != "rounding":
        return tolerance.allowed(rule, output.dtype, value)
    sizes = [float(np.mean(np.abs(x[np.isfinite(x)])) or 1) for x in (value, right.value)]
    return right.allowed * max(1.0, sizes[0] / sizes[1])
