"""From a failing case to the smallest one that still fails the same way.

In comes a failing CaseResult and a function that judges a case; out goes the smallest failing
result found within a budget of tries and seconds.  It never changes the kind of fault.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from judge import cases
from judge.model import Case, CaseResult, Spec

TRIES = 80
SECONDS = 2.0


def same_fault(result: CaseResult, other: CaseResult) -> bool:
    """Whether two results failed in the same way: another way is another bug."""
    if result.fault is None or other.fault is None:
        return False
    return (result.fault.verdict, result.fault.reason) == (other.fault.verdict, other.fault.reason)


def smallest_of(results: Sequence[CaseResult], main: CaseResult, spec: Spec) -> CaseResult:
    """The result that failed like `main` with the least work."""
    alike = [result for result in results if same_fault(result, main)]
    return min(alike, key=lambda result: size(spec, result.case))


def size(spec: Spec, case: Case) -> tuple[float, int]:
    """What `smaller` means: less work, then smaller sizes."""
    return cases.work(spec, case), sum(case.sizes.values())


def shrink(spec: Spec, start: CaseResult, fails: Callable[[Case], CaseResult | None]) -> CaseResult:
    """Greedy descent: take the first smaller case that still fails, until none does.

    `fails` judges a case and returns its result if it failed the same way, else None.
    """
    best, tried = start, {start.case.id}
    deadline = time.monotonic() + SECONDS
    progress = True
    while progress:
        progress = False
        for candidate in cases.smaller(spec, best.case):
            if candidate.id in tried:
                continue
            if len(tried) > TRIES or time.monotonic() > deadline:
                return best
            tried.add(candidate.id)
            result = fails(candidate)
            if result is not None:
                best, progress = result, True
                break
    return best
