"""Whether a wrong submission is right where the lanes of a warp run in step.

Old code counts on it: a reduction whose last warp adds `volatile` sums without a barrier.  CUDA has
promised nothing of the kind since Volta, so the verdict stays; but its author should hear why the
code passes on his GPU.  The check build of the submission runs under a runtime that lets the lanes
of a warp advance together, from one access of shared or global memory to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge import checker, prebuilt
from judge.answers import ROUNDS, Answers
from judge.cpusession import Session
from judge.model import Build, Case, Limits, Spec

MOST_CASES = 6
SENTENCE = (
    "passes where the lanes of a warp run in step, so it may pass on a GPU by luck: CUDA has not "
    "promised that since Volta; put __syncwarp() between the steps"
)
_SECONDS = 2.0


def passes(build: Build, spec: Spec, failing: Sequence[Case], seed: str) -> bool:
    """Whether every one of the failing cases, of many the smallest few, is right in lockstep.

    build: a check build;  Raises JudgeError where the runtime does not build.
    """
    spec = replace(spec, limits=Limits(_SECONDS, spec.limits.memory_bytes))
    runtime = prebuilt.runtime_library(prebuilt.LOCKSTEP)
    chosen = failing[:MOST_CASES]
    with Answers(spec, seed) as answers, Session(build, spec, runtime, 1) as session:
        return bool(chosen) and all(
            _accepted(answers, session, spec, case, round_) for case in chosen for round_ in ROUNDS
        )


def _accepted(answers: Answers, session: Session, spec: Spec, case: Case, round_: int) -> bool:
    data, expected = answers.take(case, round_)
    schedule = answers.schedule(case, round_)
    outcome = session.call(data, schedule=schedule, same_addresses=round_ > 0)
    return checker.check(spec, data, expected, outcome).fault is None
