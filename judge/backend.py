"""What a backend is: a module with these few names, and nothing else.

`judge/cpu.py` runs CUDA C++ on the processor, `judge/gpu.py` on an NVIDIA GPU.  Both keep the
submission in a worker process and own every buffer themselves.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, cast

from judge.model import Build, CallData, Outcome, Report, Request, Spec, Speed


class Session(Protocol):
    """A worker that has loaded one submission; started at the first call, again after a death."""

    def call(self, data: CallData, *, schedule: int, same_addresses: bool) -> Outcome:
        """Call `solve` once on buffers the judge owns; return what the judge saw.

        schedule:       the order of blocks and threads, where the backend can choose it (never 0)
        same_addresses: use the addresses of the previous call again, for what is left over there
        Raises JudgeError if the judge or the machine is broken; never for a bad submission.
        """

    def close(self) -> None:
        """End the worker and everything it started."""


class Beside(Protocol):
    """A look for the cause of a verdict, begun while the cases run."""

    def beside(self, report: Report) -> Report:
        """The report with what was found; its verdict and its reason stay."""


class Backend(Protocol):
    """The module itself."""

    BUDGET: float
    """Operations that the cases of one run may cost in all, by the spec's `work`."""

    measure: Callable[[Build, Spec, str, int | None, Callable[[str], None]], Speed] | None
    """Time an accepted build: build, spec, seed, how many sizes, who is told; None on the CPU
    backend, which never reports a time.  Raises CallFault if a timed call is not right."""

    check: Callable[[Request], Beside] | None
    """Begin to look for mistakes that a verdict only shows; None where nothing does."""

    def probe(self) -> str:
        """One line naming the device.  Raises BackendMissing."""

    def compile(self, source: Path, spec: Spec, defines: Sequence[str]) -> Build:
        """Build a submission, or find it built.  Raises CompileError, UserError."""

    def open_session(self, build: Build, spec: Spec) -> Session:
        """A session for the calls of one build."""


def load(name: str) -> Backend:
    """The backend module of that name, `cpu` or `gpu`; imported only when asked for."""
    return cast(Backend, importlib.import_module(f"judge.{name}"))
