"""Hundreds of submissions judged in minutes: compiled ahead, and with no more than a verdict needs.

The first problem's are judged as a user's are.  Those of the others get the same cases, fewer and
smaller drawn ones excepted, and no check beside them: that changes no verdict.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from judge import cpu, find, run, spec
from judge.model import CompileError, Report, Request, UserError

SEED = "test"
SHORT_BUDGET = 3e7  # operations of all cases, a tenth of what a user's run takes


class Ahead:
    """Compiles files in the order they will be judged, while others are judged."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._pool = ThreadPoolExecutor(os.cpu_count() or 2)
        self._coming: dict[Path, Future[None]] = {}
        for path in paths:
            if path not in self._coming:
                self._coming[path] = self._pool.submit(_build, path)

    def judged(self, path: Path, seconds: float | None = None) -> Report:
        """The report of the CPU backend; `seconds` for a call where the spec's are too many."""
        if path in self._coming:
            self._coming[path].result()
        problem = spec.load(find.problem(path, None))
        if seconds is not None:
            problem = replace(problem, limits=replace(problem.limits, seconds_per_call=seconds))
        with contextlib.ExitStack() as stack:
            if problem.slug != find.FIRST:
                stack.enter_context(mock.patch.object(cpu, "check", None))
                stack.enter_context(mock.patch.object(cpu, "BUDGET", SHORT_BUDGET))
            return run.judge(Request(path, problem, "cpu", seed=SEED), lambda progress: None)

    def close(self) -> None:
        """Compile no more."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _build(path: Path) -> None:
    with contextlib.suppress(CompileError, UserError):
        cpu.compile(path, spec.load(find.problem(path, None)), ())


def ahead_of(request: pytest.FixtureRequest) -> Iterator[Ahead]:
    """For a fixture of a module: ahead of those of its tests that were chosen."""
    chosen = (
        item.callspec.params.get("path")
        for item in request.session.items
        if item.path == request.path and hasattr(item, "callspec") and not _skipped(item)
    )
    made = Ahead(path for path in chosen if path is not None)
    yield made
    made.close()


def _skipped(item: pytest.Item) -> bool:
    return item.get_closest_marker("gpu") is not None
