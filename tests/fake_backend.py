"""A backend whose `solve` is a Python function, for tests of the conductor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge import reference
from judge.elements import encode
from judge.model import Array, Build, CallData, Dtype, Outcome, Spec, Speed

Solve = Callable[[CallData, Array], Outcome]


def outputs(content: Array) -> Outcome:
    """A call that returned with this C."""
    return Outcome(returned=True, outputs={"C": content})


@dataclass
class FakeBackend:
    """Each session gets its own state, as a worker would; `solve` is given the right answer."""

    make_solve: Callable[[], Solve]
    sessions: list[FakeSession] = field(default_factory=list)
    error: Exception | None = None
    measure: Callable[..., Speed] | None = None
    check: None = None
    BUDGET: float = 5e7

    def probe(self) -> str:
        """As a backend's."""
        return "fake"

    def compile(self, source: Path, spec: Spec, defines: Sequence[str]) -> Build:
        """As a backend's; raises `error`."""
        if self.error:
            raise self.error
        return Build(source, source, 0.0, False, "none", notes=("a note of the build",))

    def open_session(self, build: Build, spec: Spec) -> FakeSession:
        """As a backend's."""
        self.sessions.append(FakeSession(spec, self.make_solve()))
        return self.sessions[-1]


@dataclass
class FakeSession:
    """Remembers what it was asked."""

    spec: Spec
    solve: Solve
    calls: list[tuple[CallData, int, bool]] = field(default_factory=list)
    closed: bool = False

    def call(self, data: CallData, *, schedule: int, same_addresses: bool) -> Outcome:
        """As a session's."""
        self.calls.append((data, schedule, same_addresses))
        right = encode(reference.expected(self.spec, data)["C"].value, Dtype.FLOAT16)
        return self.solve(data, right)

    def close(self) -> None:
        """As a session's."""
        self.closed = True
