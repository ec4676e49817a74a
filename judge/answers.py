"""Inputs and expected outputs of each call, made ahead by a thread while others compile and run.

Knows the seed; lives in the judge process only.  NumPy leaves the interpreter alone for most of the
work, and the judge mostly waits for a compiler or a worker, so making the next calls costs no time.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence

from judge import cases, reference
from judge.model import CallData, Case, Expected, Spec

ROUNDS = (0, 1)
AHEAD_BYTES = 64 << 20
"""What may lie ready before it is used."""

Prepared = tuple[CallData, dict[str, Expected]]


class Answers:
    """Makes what a call needs.  Close it, or use it in a `with` statement: its thread then ends."""

    def __init__(self, spec: Spec, seed: str) -> None:
        self.spec, self.seed = spec, seed
        self._coming: list[tuple[Case, int]] = []
        self._ready: dict[tuple[str, int], Prepared | BaseException] = {}
        self._ready_bytes = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, planned: Sequence[Case]) -> None:
        """Begin to make the calls of these cases, in order, a bounded part ahead of their use."""
        self._coming = [(case, round_) for case in planned for round_ in ROUNDS]
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def take(self, case: Case, round_: int) -> Prepared:
        """Those of one call: waited for if they are coming, else made now.

        Calls before it in the plan were passed over, and are forgotten.
        Raises what making them raised (SpecError).
        """
        with self._changed:
            while (case, round_) in self._coming and not self._closed:
                call = self._coming[0]
                key = call[0].id, call[1]
                if key not in self._ready and call == (case, round_):
                    self._changed.wait()
                    continue
                self._coming.pop(0)
                found = self._ready.pop(key, None)
                if found is not None and not isinstance(found, BaseException):
                    self._ready_bytes -= _bytes(found)
                self._changed.notify_all()
                if call != (case, round_):
                    continue
                if isinstance(found, BaseException):
                    raise found
                if found is not None:
                    return found
        return self._make(case, round_)

    def schedule(self, case: Case, round_: int) -> int:
        """The order of threads and blocks of one call: from the seed, never 0, always the same.

        A hash, so that a submission that sees it learns nothing of the seed.
        """
        digest = hashlib.sha256(f"{self.seed} schedule {case.id} {round_}".encode()).digest()
        return int.from_bytes(digest[:7], "little") | 1 << 56

    def close(self) -> None:
        """End the thread; what it made is forgotten."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._ready.clear()

    def _run(self) -> None:
        while True:
            with self._changed:
                while self._ready_bytes > AHEAD_BYTES and not self._closed:
                    self._changed.wait()
                left = [(c, r) for c, r in self._coming if (c.id, r) not in self._ready]
                if self._closed or not left:
                    return
                case, round_ = left[0]
            made: Prepared | BaseException
            try:
                made = self._make(case, round_)
            except BaseException as error:
                made = error
            with self._changed:
                if (case, round_) in self._coming:
                    self._ready[case.id, round_] = made
                    self._ready_bytes += 0 if isinstance(made, BaseException) else _bytes(made)
                self._changed.notify_all()

    def _make(self, case: Case, round_: int) -> Prepared:
        data = cases.make(self.spec, case, self.seed, round_)
        return data, dict(reference.expected(self.spec, data))


def _bytes(prepared: Prepared) -> int:
    data, expected = prepared
    answers = sum(one.value.nbytes + one.allowed.nbytes for one in expected.values())
    return answers + sum(array.nbytes for array in data.arrays.values())
