"""judge/new.py: begin a submission from a problem's starter."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import new, spec
from judge.model import UserError


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one problem that has a starter and one that has none."""
    for problem in ("gemm", "bare"):
        (tmp_path / "problems" / problem).mkdir(parents=True)
        (tmp_path / "problems" / problem / "problem.yaml").touch()
    (tmp_path / "problems/gemm/starter.cu").write_text("// begin here\n")
    monkeypatch.setattr(spec, "PROBLEMS", tmp_path / "problems")
    return tmp_path


@pytest.mark.parametrize("name", ["mine", "mine.cu"])
def test_the_starter_is_copied_under_the_new_name(name: str, root: Path) -> None:
    """The suffix may be typed or left out."""
    path = new.create("gemm", name, root)

    assert path == root / "submissions/gemm/mine.cu"
    assert path.read_text() == "// begin here\n"


def test_a_file_that_is_there_is_never_overwritten(root: Path) -> None:
    """The second `make new` with one name is refused and changes nothing."""
    new.create("gemm", "mine", root).write_text("my work\n")

    with pytest.raises(UserError, match="is there already and left alone; choose another name"):
        new.create("gemm", "mine", root)

    assert (root / "submissions/gemm/mine.cu").read_text() == "my work\n"


@pytest.mark.parametrize("name", ["", "../x", "a/b", "-x", ".x", "a b", "x;y", "\x1b", "x" * 200])
def test_a_name_that_is_no_plain_file_name_is_refused(name: str, root: Path) -> None:
    """Nothing is written outside submissions/<problem>/."""
    with pytest.raises(UserError, match=r"^name: got "):
        new.create("gemm", name, root)

    assert not (root / "submissions").exists()


@pytest.mark.parametrize("name", ["mine.txt", "mine.cpp", "mine.v2", "mine.cu.txt", "mine.CU"])
def test_a_name_with_another_ending_is_refused(name: str, root: Path) -> None:
    """No mine.txt.cu is made of a slip; what to type is shown."""
    with pytest.raises(UserError, match=r"^name: got .*, expected .*, as in mine.*\.cu$"):
        new.create("gemm", name, root)

    assert not (root / "submissions").exists()


def test_a_problem_without_a_starter_says_so(root: Path) -> None:
    """No empty file is left behind."""
    with pytest.raises(UserError, match="this problem has no starter to copy"):
        new.create("bare", "mine", root)

    assert not (root / "submissions").exists()
