"""A few rows and columns of a call, small enough to try many mistakes on.

A room of `suspects.py`: large outputs are judged by a sample, so that the answer comes in
milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge import cases, reference
from judge.compare import Comparison, judge_elements
from judge.mistakes import free_axes, take
from judge.model import Array, CallData, Expected, Spec, SpecError

# Rows and columns looked at, once a reference would cost more than so many operations.
SAMPLE, COSTLY = 32, 1 << 20


@dataclass(frozen=True)
class Sample:
    """Some rows and columns of a call: the indices kept of each axis, and the output there."""

    kept: Mapping[str, Array]
    got: Array
    expected: Expected
    wrong: Array


def answer_of(spec: Spec, data: CallData, output: str) -> Expected | None:
    """The reference of altered inputs; None where it has none (an empty maximum, say)."""
    try:
        answer: Expected = reference.expected(spec, data)[output]
        return answer
    except (SpecError, ValueError, ZeroDivisionError, IndexError):
        return None


def take_sample(spec: Spec, data: CallData, found: Comparison) -> Sample | None:
    """The rows and columns to look at: all of a small problem, some of a large one.

    A sample is good only if the reference of the sample is the sample of the reference, which is
    tried: not so for a softmax over the columns, whose rows can still be sampled.  None where
    nothing can be left out and the whole would cost too much.
    """
    work = cases.work(spec, data.case)
    shape, axes = found.argument.shape, free_axes(spec)
    free = [d for d, name in enumerate(shape) if name in axes and shape.count(name) == 1]
    for dimensions in ([], free, *([dimension] for dimension in free)):
        if not dimensions and work > COSTLY:
            continue
        sample = _some(found, dimensions)
        if not dimensions:
            return sample
        if not sample.wrong.any():
            continue
        answer = answer_of(spec, reduced(spec, data, sample), found.argument.name)
        wanted = sample.expected
        if answer is not None and answer.value.shape == wanted.value.shape:
            _, same = judge_elements(answer.value, wanted.value, wanted.allowed)
            if same.all():
                return sample
    return _some(found, []) if work <= 16 * COSTLY else None


def _some(found: Comparison, dimensions: Sequence[int]) -> Sample:
    """A few indices of these dimensions, among those with wrong elements; all of the others."""
    kept: dict[str, Array] = {}
    grid = [np.arange(size) for size in found.got.shape]
    for dimension in dimensions:
        others = tuple(axis for axis in range(found.wrong.ndim) if axis != dimension)
        bad = np.flatnonzero(found.wrong.any(axis=others))
        few = bad[np.linspace(0, bad.size - 1, min(SAMPLE, bad.size), dtype=int)]
        kept[found.argument.shape[dimension]] = grid[dimension] = few
    key = np.ix_(*grid)
    expected = Expected(found.expected.value[key], found.expected.allowed[key])
    return Sample(kept, found.got[key], expected, found.wrong[key])


def reduced(spec: Spec, data: CallData, sample: Sample) -> CallData:
    """The call with only the rows and columns of the sample."""
    for axis, indices in sample.kept.items():
        data = take(spec, data, axis, indices, indices.size)
    return data
