"""A new problem is complete and valid from its first minute: only what is marked is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge import expectation, lint, run, scaffold
from judge import spec as specs
from judge.model import Reason, Request, UserError

MARKED = re.compile(r".*:\d+: mark EDIT: got .*EDIT: .*; edit it, drop the mark")


def test_a_new_problem_lacks_only_what_is_marked(tmp_path: Path) -> None:
    """Lint says nothing but where to edit, and the submissions get the verdicts they claim."""
    made = scaffold.create("my_problem", "vector_add", tmp_path)

    found = list(lint.problem(str(tmp_path / "problems" / "my_problem"), tmp_path))
    assert [line for line in found if not MARKED.fullmatch(line)] == []
    assert len(found) == 14
    spec = specs.load(tmp_path / "problems" / "my_problem")
    wrong = [path for path in made if "tests" in path.relative_to(tmp_path).parts]
    assert len(wrong) == 2
    for path in wrong:
        report = run.judge(Request(path, spec, "cpu", seed="1"), lambda progress: None)
        reason = report.fault.reason if report.fault else Reason.ACCEPTED
        assert expectation.read(path).met(report.verdict, reason)


def test_every_new_file_is_named(tmp_path: Path) -> None:
    """What is returned is what is there."""
    made = scaffold.create("my_problem", "vector_add", tmp_path)

    assert sorted(made) == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    names = {str(path.relative_to(tmp_path)) for path in made}
    assert names >= {
        "problems/my_problem/problem.yaml",
        "problems/my_problem/statement.md",
        "problems/my_problem/starter.cu",
        "submissions/my_problem/one_each.cu",
    }


def test_another_problem_can_be_the_model(tmp_path: Path) -> None:
    """--like copies that one; words over several lines are one mark."""
    scaffold.create("my_gemm", "gemm_fp16", tmp_path)

    spec = specs.load(tmp_path / "problems" / "my_gemm")
    assert spec.declaration() == specs.load("gemm_fp16").declaration()
    assert spec.source == "EDIT: where signature and semantics come from"


@pytest.mark.parametrize("name", ["", "Add", "a-b", "../x", "a" * 41, "a b", "_a"])
def test_a_name_that_is_no_slug_is_refused(name: str, tmp_path: Path) -> None:
    """It is a folder, a word of make and of case ids."""
    with pytest.raises(UserError, match="expected small letters, digits and _"):
        scaffold.create(name, "vector_add", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", ["problems", "submissions", "tests/submissions"])
def test_nothing_is_overwritten(folder: str, tmp_path: Path) -> None:
    """Whatever of it is there already stays, and nothing else is written."""
    (tmp_path / folder / "mine").mkdir(parents=True)

    with pytest.raises(UserError, match="is there already and left alone"):
        scaffold.create("mine", "vector_add", tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_unknown_model_is_refused(tmp_path: Path) -> None:
    """With the problems there are."""
    with pytest.raises(UserError, match="vector_ad: no such problem"):
        scaffold.create("mine", "vector_ad", tmp_path)
