"""The verdict on one call: what the judge saw of it and the right answer in, a Check out.

A call is accepted only if it returned, every element of every output was shown to be right, no
guard band was written and no input changed.  The first of these that fails names the reason:

    the call did not return         the backend's fault, or `exited` where it gave none
    a fault no right answer excuses (a race, a read out of bounds)
    wrong elements                  a failed launch where there was one, else what diagnose.py says
    guard bands, then inputs

Anything that does not fit together (an output missing, of another shape or type) is never accepted;
the judge owns the buffers, so that is its own fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from judge import diagnose
from judge.compare import Comparison, compare
from judge.model import (
    Array,
    CallData,
    Check,
    Expected,
    Fault,
    Outcome,
    Reason,
    Spec,
    Verdict,
)

# A launch or an allocation that failed is no harm where the answers are right all the same; on a
# GPU, too, it sets an error and the program goes on.
HARMLESS = (Reason.LAUNCH_LIMITS, Reason.CUDA_ERROR, Reason.MEMORY)
SECOND_CALL = "in the second call, with other content at the same addresses; the first was right"

Previous = tuple[Mapping[str, Expected], Mapping[str, Array]]


def check(
    spec: Spec,
    data: CallData,
    expected: Mapping[str, Expected],
    outcome: Outcome,
    previous: Previous | None = None,
) -> Check:
    """Judge one call.

    previous: the right answers and the outputs of the call before, to recognise stale results.
    """
    total = sum(answer.value.size for answer in expected.values())
    if not outcome.returned:
        return Check(0, total, fault=outcome.fault or _silent())
    # Outputs hold any bits, infinities and signalling NaNs among them: no warning is news.
    with np.errstate(all="ignore"):
        return _compared(spec, data, expected, outcome, previous, total)


def _compared(
    spec: Spec,
    data: CallData,
    expected: Mapping[str, Expected],
    outcome: Outcome,
    previous: Previous | None,
    total: int,
) -> Check:
    """Judge a call that returned, by its outputs."""
    broken = _misfit(spec, expected, outcome)
    if broken:
        return Check(0, total, fault=outcome.fault or Fault(Verdict.JE, Reason.INTERNAL, broken))
    found = [
        compare(
            argument,
            outcome.outputs[argument.name],
            expected[argument.name],
            data.before(argument),
        )
        for argument in spec.outputs
    ]
    worst = max(found, key=lambda comparison: comparison.usage)
    fault = _fault(spec, data, found, outcome, previous)
    if fault is not None and previous is not None and fault.verdict is Verdict.WA:
        fault = replace(fault, details=(*fault.details, SECOND_CALL))
    return Check(
        checked=sum(comparison.wrong.size for comparison in found),
        total=total,
        wrong=sum(int(np.count_nonzero(comparison.wrong)) for comparison in found),
        usage=worst.usage,
        worst=worst.worst,
        fault=fault,
    )


def remarks(outcome: Outcome, verdict: Check) -> tuple[str, ...]:
    """What is worth saying beside a verdict: the launch that failed without harm to the answer."""
    if verdict.fault is None and outcome.fault is not None:
        return (*outcome.notes, f"{outcome.fault.message} (the outputs are right all the same)")
    return outcome.notes


def _silent() -> Fault:
    message = "the worker ended without acknowledging the call; expected solve to return"
    return Fault(Verdict.RE, Reason.EXITED, message)


def _misfit(spec: Spec, expected: Mapping[str, Expected], outcome: Outcome) -> str:
    """What keeps the outputs from being checked; empty if nothing does."""
    if not spec.outputs:
        return f"{spec.path}: no output, so nothing can be checked"
    for argument in spec.outputs:
        answer, got = expected.get(argument.name), outcome.outputs.get(argument.name)
        if answer is None:
            return f"no right answer for {argument.name}"
        if got is None:
            return f"the output {argument.name} was not copied out"
        shapes = (answer.value.shape, answer.allowed.shape)
        if got.shape != answer.value.shape or shapes[0] != shapes[1]:
            return f"{argument.name}: got shape {got.shape}, expected {shapes[0]} and {shapes[1]}"
        if got.dtype != argument.dtype.storage:
            return f"{argument.name}: got {got.dtype}, expected {argument.dtype.storage}"
        if got.size == 0:
            return f"{argument.name}: got no elements, expected at least one"
        needed = answer.allowed[np.isfinite(answer.value)]
        if not (np.isfinite(needed) & (needed >= 0)).all():
            return f"{argument.name}: got an allowed error that is no number >= 0"
    return ""


def _fault(
    spec: Spec,
    data: CallData,
    found: Sequence[Comparison],
    outcome: Outcome,
    previous: Previous | None,
) -> Fault | None:
    """The first reason not to accept, with what else was seen as details."""
    seen = outcome.fault
    wrong = [comparison for comparison in found if comparison.wrong.any()]
    if wrong:
        fault = diagnose.wrong(spec, data, wrong, previous)
        if seen is not None:
            details = (*seen.details, fault.message, *fault.details)
            fault = replace(seen, details=details)
    elif seen is not None and seen.reason not in HARMLESS:
        fault = seen
    elif outcome.overwritten:
        first, *others = outcome.overwritten
        fault = Fault(Verdict.WA, Reason.GUARD_OVERWRITTEN, first, details=tuple(others))
    elif outcome.modified:
        return _modified(outcome)
    else:
        return None
    extra = () if fault.reason is Reason.GUARD_OVERWRITTEN else outcome.overwritten
    changed = (_modified(outcome).message,) if outcome.modified else ()
    return replace(fault, details=(*extra, *changed, *fault.details))


def _modified(outcome: Outcome) -> Fault:
    names = ", ".join(outcome.modified)
    message = f"solve changed its input {names}; expected it to be only read"
    return Fault(Verdict.WA, Reason.INPUT_MODIFIED, message)
