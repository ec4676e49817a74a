"""judge/subject.py: what a submission is judged by."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import cli, subject
from judge.find import ROOT
from judge.model import UserError

TILED = ROOT / "submissions" / "gemm_fp16" / "tiled.cu"


def loaded(*more: str, source: Path = TILED) -> str:
    """The problem that a command line asks for."""
    asked = cli.parser().parse_args(["run", str(source), *more])
    return subject.loader(asked, source)(False).slug


def test_it_is_the_problem_that_is_named_or_that_the_file_tells() -> None:
    """What was typed outranks the folder."""
    assert loaded() == "gemm_fp16"
    assert loaded("--problem", "softmax") == "softmax"


def test_a_problem_that_is_not_there_is_told_before_it_is_loaded() -> None:
    """So is one that is asked for beside a challenge."""
    asked = cli.parser().parse_args(["run", str(TILED), "--problem", "zzz"])
    with pytest.raises(UserError, match="no such problem"):
        subject.loader(asked, TILED)
    with pytest.raises(UserError, match="expected one of the two"):
        loaded("--problem", "softmax", "--leetgpu", "x")
