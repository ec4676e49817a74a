"""Was an output added to that was never set to zero?  One more call shows it.

An output begins as poison, and poison plus anything is poison or nonsense: it looks like an output
that was not written at all, or written wrongly.  So the failing case is called again with a number
in the output instead, and once more with another.  If both times that number plus the right answer
comes out, the cause is certain: a wrong answer that only looks like a sum does not move along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np

from judge.answers import Answers
from judge.backend import Session
from judge.elements import decode, encode, largest
from judge.model import (
    Argument,
    Array,
    Case,
    Expected,
    Init,
    JudgeError,
    Reason,
    Report,
    Role,
    Verdict,
)

_LOOKS_LIKE_IT = (Reason.UNWRITTEN, Reason.NONFINITE, Reason.MISMATCH, Reason.STALE)
_INTEGER = 29
_FACTORS = (1, 3)
_NEARLY_ALL = 0.95
_BEGINS = {
    Init.POISON: "it begins as poison (init: poison)",
    Init.RANDOM: "it begins with other numbers (init: random)",
}

Open = Callable[[], AbstractContextManager[Session]]


def explained(report: Report, answers: Answers, fresh: Open) -> Report:
    """The report with the certain cause in place of what it looked like, if this is the cause.

    fresh: opens a session with a worker of its own
    """
    fault, failing = report.fault, report.failing
    if fault is None or failing is None or fault.verdict is not Verdict.WA:
        return report
    first = next(result for result in report.results if result.fault is not None)
    tried = dict.fromkeys((failing.case.id, first.case.id))
    if fault.reason not in _LOOKS_LIKE_IT or not any(_unset(answers)):
        return report
    by_id = {one.case.id: one.case for one in (failing, first)}
    name = next(filter(None, (_added_to(by_id[i], answers, fresh) for i in tried)), None)
    if name is None:
        return report
    begins = _BEGINS[answers.spec.argument(name).init]
    fault = replace(
        fault,
        reason=Reason.NOT_ZEROED,
        message=f"{name} is added to, but was never set to zero: {begins}",
        details=tuple(line for line in fault.details if "never written" not in line),
    )
    return replace(report, fault=fault, failing=replace(failing, fault=fault))


def _unset(answers: Answers) -> Iterator[Argument]:
    """Outputs that a submission has to set before it may add to them."""
    for one in answers.spec.outputs:
        if one.role is Role.OUT and one.init is not Init.ZERO:
            yield one


def _added_to(case: Case, answers: Answers, fresh: Open) -> str | None:
    """The output that comes out as what it held plus the right answer."""
    data, expected = answers.take(case, 0)
    found: list[set[str]] = []
    for factor in _FACTORS:
        begun = {one.name: _begin(one, expected[one.name], factor) for one in _unset(answers)}
        initial = {name: array for name, array in begun.items() if array is not None}
        if not initial:
            return None
        try:
            with fresh() as session:
                outcome = session.call(
                    replace(data, initial={**data.initial, **initial}),
                    schedule=answers.schedule(case, 0),
                    same_addresses=False,
                )
        except JudgeError:  # an explanation is not worth a verdict
            return None
        found.append(
            {
                name
                for name, array in initial.items()
                if name in outcome.outputs
                and _is_sum(
                    answers.spec.argument(name), outcome.outputs[name], array, expected[name]
                )
            }
        )
    return next(iter(sorted(set.intersection(*found))), None)


def _begin(output: Argument, right: Expected, factor: int) -> Array | None:
    """A number that is told from the right answer and from their sum; None if there is none."""
    shape, value = right.value.shape, right.value
    if not output.dtype.is_float:
        return np.full(shape, factor * _INTEGER, output.dtype.storage) if value.any() else None
    size = float(np.max(np.abs(value[np.isfinite(value)]), initial=0.0))
    blur = float(np.max(right.allowed, initial=0.0))
    if not 16 * blur < size < largest(output.dtype) / 16:  # else anything is such a sum
        return None
    return encode(np.full(shape, factor * 2.0 ** np.ceil(np.log2(size))), output.dtype)


def _is_sum(output: Argument, got: Array, begun: Array, right: Expected) -> bool:
    """Whether nearly all elements are what was there plus the right answer."""
    if not output.dtype.is_float:
        with np.errstate(over="ignore"):
            return bool(np.mean(got - begun == right.value) >= _NEARLY_ALL)
    start = decode(begun, output.dtype)
    with np.errstate(all="ignore"):
        error = np.abs(decode(got, output.dtype) - (start + right.value))
    return bool(np.mean(error <= right.allowed + start / 16) >= _NEARLY_ALL)
