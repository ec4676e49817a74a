"""Inputs and expected outputs of each call, made ahead while the compiler runs.

Knows the seed; lives in the judge process only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from judge import cases, reference
from judge.model import CallData, Case, Expected, Spec

ROUNDS = (0, 1)
Prepared = tuple[CallData, dict[str, Expected]]


class Answers:
    """Makes what a call needs; keeps what was made ahead until it is used once."""

    def __init__(self, spec: Spec, seed: str) -> None:
        self.spec, self.seed = spec, seed
        self._ready: dict[tuple[str, int], Prepared] = {}

    def prepare(self, planned: Sequence[Case]) -> Iterator[None]:
        """Make them all, one a step, so that the caller can stop when it has better to do."""
        for case in planned:
            for round_ in ROUNDS:
                self._ready[case.id, round_] = self._make(case, round_)
                yield

    def take(self, case: Case, round_: int) -> Prepared:
        """Those of one call, made now if they were not made ahead."""
        ready = self._ready.pop((case.id, round_), None)
        return ready if ready is not None else self._make(case, round_)

    def schedule(self, case: Case, round_: int) -> int:
        """The order of threads and blocks of one call: from the seed, never 0, always the same.

        A hash, so that a submission that sees it learns nothing of the seed.
        """
        digest = hashlib.sha256(f"{self.seed} schedule {case.id} {round_}".encode()).digest()
        return int.from_bytes(digest[:7], "little") | 1 << 56

    def _make(self, case: Case, round_: int) -> Prepared:
        data = cases.make(self.spec, case, self.seed, round_)
        return data, dict(reference.expected(self.spec, data))
