"""The commands of those who write problems: what they print, and their exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import cli, scaffold, spec
from judge.find import ROOT

ADD = ROOT / "submissions" / "vector_add" / "one_each.cu"


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    code = cli.main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def few(slugs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only these problems."""
    monkeypatch.setattr(spec, "slugs", lambda: slugs)


def test_problems_lists_slug_title_and_what_is_computed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row a problem."""
    few(["gemm_fp16", "vector_add"], monkeypatch)

    code, out, err = said(["problems"], capsys)

    assert (code, err) == (0, "")
    head, *rows = out.splitlines()
    assert head.split() == ["problem", "title", "submissions", "computes"]
    assert [row.split()[0] for row in rows] == ["gemm_fp16", "vector_add"]
    assert "C = A + B, element by element" in rows[1]


def test_a_wrong_spec_hides_no_other_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is told beside them, and the exit code is that of a wrong spec."""
    (tmp_path / "problem.yaml").write_text("version: 2\n")
    few(["vector_add", str(tmp_path)], monkeypatch)

    code, out, err = said(["problems"], capsys)

    assert code == 2
    assert "vector_add" in out
    assert "problem.yaml:1: missing" in err


def test_a_folder_without_problem_yaml_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One line for it, by whichever command, with the exit code of a wrong spec."""
    (tmp_path / "begun").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "problem.yaml").touch()
    monkeypatch.setattr(spec, "PROBLEMS", tmp_path)

    for command in (["problems"], ["lint-problem", "--all"], ["lint-problem", "begun"]):
        code, out, err = said(command, capsys)
        assert code == 2
        assert (out + err).count("begun: no problem.yaml in it, so it is no problem") == 1
    code, out, err = said(["lint-problem", "empty"], capsys)
    assert (code, err, out.count("\n")) == (2, "", 1)
    assert "empty/problem.yaml: got an empty file" in out


def test_which_names_the_problems_that_fit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how many names are alike; several that fit equally well give a hint."""
    few(["gemm_fp16", "vector_add"], monkeypatch)
    assert said(["which", str(ADD)], capsys) == (
        0,
        "vector_add  Vector addition  (all 4 parameters named as there)\n",
        "",
    )

    few(["matrix_addition", "vector_add"], monkeypatch)
    code, out, err = said(["which", str(ADD)], capsys)
    assert code == 0
    assert len(out.splitlines()) == 2
    assert "its solve fit 2 problems; say which by --problem (PROBLEM=)" in err

    few(["gemm_fp16"], monkeypatch)
    code, out, err = said(["which", str(ADD)], capsys)
    assert (code, out) == (2, "")
    assert "fits no problem: none has these types in this order" in err


def test_lint_says_of_a_problem_that_nothing_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, and a line all the same."""
    assert said(["lint-problem", "vector_add"], capsys) == (0, "vector_add: nothing missing\n", "")


def test_lint_of_a_flawed_problem_ends_with_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A line for each flaw, on stdout."""
    (tmp_path / "problem.yaml").write_text("version: 2\n")

    code, out, err = said(["lint-problem", str(tmp_path)], capsys)

    assert (code, err) == (2, "")
    assert out.endswith("mend it: nothing else can be looked at before\n")


@pytest.mark.parametrize("arguments", [[], ["vector_add", "--all"]])
def test_lint_takes_one_problem_or_all(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither and both are a slip."""
    code, _, err = said(["lint-problem", *arguments], capsys)

    assert code == 2
    assert err == "judge: lint-problem: got neither or both of NAME and --all, expected one\n"


def test_new_problem_says_what_it_made_and_what_is_next(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The new files, then the next command."""
    asked: list[tuple[str, str]] = []

    def create(slug: str, like: str) -> list[Path]:
        asked.append((slug, like))
        return [tmp_path / "problem.yaml"]

    monkeypatch.setattr(scaffold, "create", create)

    code, out, _ = said(["new-problem", "mine"], capsys)

    assert (code, asked) == (0, [("mine", "vector_add")])
    assert out == (
        f"{tmp_path}/problem.yaml\n"
        "now: edit what is marked EDIT, then: make lint-problem NAME=mine\n"
    )
