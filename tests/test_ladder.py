"""Everything in submissions/ is right, and the judge says so."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import SEED, Ahead, ahead_of

from judge import find, run, spec
from judge.find import ROOT
from judge.model import Reason, Request, Verdict
from judge.report import Screen, render


def tracked() -> list[Path]:
    """The ladder's files: what git knows of, so that a learner's own unfinished file is none."""
    files = sorted((ROOT / "submissions").rglob("*.cu"))
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--", "submissions"]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return files  # no checkout: then all of them came with the judge
    known = {ROOT / name for name in done.stdout.decode().split("\0")}
    return [path for path in files if path in known]


FILES = tracked()
STARTERS = sorted((ROOT / "problems").glob("*/starter.cu"))
# What no processor can run: inline PTX, Tensor Cores by wmma or mma, and libraries of the toolkit.
GPU_ONLY = ("asm(", "asm volatile", "wmma::", "cublas", "cutlass", "cuda::barrier", "cp.async")


@pytest.fixture(scope="module")
def ahead(request: pytest.FixtureRequest) -> Iterator[Ahead]:
    """All files compiled while others are judged."""
    yield from ahead_of(request)


def name(path: Path) -> str:
    """The path from the root, as pytest shows it."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_every_rung_is_accepted_or_says_that_it_needs_a_gpu(path: Path, ahead: Ahead) -> None:
    """On the CPU a rung is AC; one that only a GPU can run is CE unsupported, and never wrong."""
    report = ahead.judged(path)
    if report.verdict is Verdict.AC:
        return

    text = path.read_text(encoding="utf-8")
    assert any(word in text for word in GPU_ONLY), render(report, Screen())
    assert report.fault is not None
    assert report.verdict is Verdict.CE, render(report, Screen())
    assert report.fault.reason is Reason.UNSUPPORTED, render(report, Screen())


@pytest.mark.gpu
@pytest.mark.parametrize("path", FILES, ids=name)
def test_every_rung_is_accepted_on_a_gpu(path: Path) -> None:
    """The real hardware accepts the whole ladder."""
    problem = spec.load(find.problem(path, None))
    report = run.judge(Request(path, problem, "gpu", seed=SEED), lambda progress: None)

    assert report.verdict is Verdict.AC, render(report, Screen())


@pytest.mark.parametrize("path", STARTERS, ids=name)
def test_a_starter_compiles_and_is_not_yet_right(path: Path, ahead: Ahead) -> None:
    """A learner begins from a wrong answer, never from a compile error or a solved problem."""
    report = ahead.judged(path)

    assert report.verdict is Verdict.WA, render(report, Screen())
