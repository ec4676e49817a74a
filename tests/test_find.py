"""judge/find.py: from what a user types to the files it means."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import find, spec
from judge.model import UserError


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository with two problems and three submissions; the user stands elsewhere."""
    for problem in ("gemm", "softmax"):
        (tmp_path / "problems" / problem).mkdir(parents=True)
        (tmp_path / "problems" / problem / "problem.yaml").touch()
    for name in ("gemm/tiled.cu", "gemm/naive.cu", "softmax/naive.cu"):
        path = tmp_path / "submissions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// nothing\n")
    monkeypatch.setattr(spec, "PROBLEMS", tmp_path / "problems")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    return tmp_path


def refused(name: str, root: Path, problem: str | None = None) -> str:
    """The message for a name that is not found."""
    with pytest.raises(UserError) as raised:
        find.submission(name, problem, root)
    return str(raised.value)


@pytest.mark.parametrize("name", ["tiled.cu", "tiled", "submissions/gemm/tiled.cu"])
def test_a_submission_is_found_by_name_stem_or_path(name: str, root: Path) -> None:
    """`make judge SUB=tiled.cu` works from any folder."""
    assert find.submission(name, None, root) == root / "submissions/gemm/tiled.cu"


def test_a_file_in_the_current_folder_goes_before_the_ladder(root: Path) -> None:
    """A user who stands beside a file means that file."""
    Path("tiled.cu").write_text("// mine\n")

    assert find.submission("tiled.cu", None, root) == root / "elsewhere/tiled.cu"


def test_names_with_spaces_dashes_and_dollars_are_just_names(root: Path) -> None:
    """Nothing in a file name is special."""
    for name in ("a b.cu", "-n.cu", "$(x).cu", "it's.cu"):
        Path(name).touch()

        assert find.submission(name, None, root).name == name


def test_an_ambiguous_name_lists_the_candidates(root: Path) -> None:
    """The user picks; the judge never guesses."""
    assert refused("naive.cu", root) == (
        "naive.cu: 2 files of this name: submissions/gemm/naive.cu, "
        "submissions/softmax/naive.cu; give the path"
    )


def test_the_problem_decides_between_files_of_one_name(root: Path) -> None:
    """PROBLEM=softmax SUB=naive.cu is not ambiguous."""
    assert find.submission("naive.cu", "softmax", root) == root / "submissions/softmax/naive.cu"


def test_only_the_submissions_of_the_problem_are_looked_at(root: Path) -> None:
    """A file of another problem is never taken for it; the message says where there are some."""
    assert refused("tiled.cu", root, "softmax") == (
        "tiled.cu: no such file here or in submissions/softmax/; other problems have "
        "submissions/gemm/tiled.cu: give the path, or leave PROBLEM= (--problem) out"
    )
    assert refused("nave.cu", root, "softmax") == (
        "nave.cu: no such file here or in submissions/softmax/; did you mean naive.cu?"
    )
    folder = str(root / "problems" / "softmax")
    assert find.submission("naive", folder, root) == root / "submissions/softmax/naive.cu"


def test_a_problem_that_is_not_there_is_told_before_a_file(root: Path) -> None:
    """Where both are misspelt, the problem is what the file was looked for by."""
    assert refused("nave.cu", root, "sofmax") == (
        "problem: sofmax: no such problem; did you mean softmax?"
    )


def test_an_unknown_name_offers_the_nearest(root: Path) -> None:
    """A slip of the keyboard is answered with what was meant."""
    assert refused("tild.cu", root) == (
        "tild.cu: no such file here or in submissions/; did you mean tiled.cu?"
    )


def test_a_name_like_no_other_lists_what_there_is(root: Path) -> None:
    """Without a near miss the user sees what can be judged."""
    assert refused("zzz.cu", root) == (
        "zzz.cu: no such file here or in submissions/; there are: naive.cu, tiled.cu"
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "submission: no file named; name one, as in SUB=tiled.cu"),
        ("a\0b", "submission: no file named; name one, as in SUB=tiled.cu"),
        ("submissions/gemm", "is a folder; name one .cu file: naive.cu, tiled.cu"),
        ("/dev/null", "/dev/null: is not a regular file; name a .cu file"),
        ("notes.txt", "notes.txt: got .txt, expected a CUDA C++ file named *.cu"),
        ("\x1b[2J.cu", "\\x1b[2J.cu: no such file"),
    ],
    ids=["empty", "null byte", "folder", "device", "text file", "escape codes"],
)
def test_what_cannot_be_judged_is_refused_in_one_line(name: str, message: str, root: Path) -> None:
    """A folder, a device or a text file is named for what it is, without control bytes."""
    Path("notes.txt").touch()

    got = refused(name, root)

    assert message in got
    assert got.isprintable()


def test_the_first_ladder_goes_before_others(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make judge SUB=naive.cu` is the first problem's naive.cu, however many there are."""
    monkeypatch.setattr(find, "FIRST", "softmax")

    assert find.submission("naive.cu", None, root) == root / "submissions/softmax/naive.cu"
    assert find.submission("naive.cu", "gemm", root) == root / "submissions/gemm/naive.cu"
    assert find.submission("tiled.cu", None, root) == root / "submissions/gemm/tiled.cu"


def test_the_problem_is_told_by_the_folder(root: Path) -> None:
    """A file anywhere below a folder named like a problem is for that problem."""
    deep = root / "tests" / "submissions" / "softmax" / "mine" / "x.cu"
    deep.parent.mkdir(parents=True)
    deep.touch()

    assert find.problem(deep, None) == root / "problems/softmax"


@pytest.mark.parametrize(
    "header", ["// problem: gemm", "  //problem:  gemm ", "/* problem: gemm */", " * problem: gemm"]
)
def test_the_problem_is_told_by_a_line_near_the_top(header: str, root: Path) -> None:
    """A file in somebody's homework folder can name its problem itself, before its folder does."""
    source = root / "submissions/softmax/naive.cu"
    source.write_text(f"// naive\n{header}\n")

    assert find.problem(source, None) == root / "problems/gemm"


def test_the_flag_outranks_the_line_and_the_folder(root: Path) -> None:
    """What the user says now counts most."""
    source = root / "submissions/gemm/tiled.cu"
    source.write_text("// problem: gemm\n")

    assert find.problem(source, "softmax") == root / "problems/softmax"


def test_a_line_far_down_or_within_code_does_not_count(root: Path) -> None:
    """Only the first 20 lines are read for the problem's name, and only lines that say just it."""
    source = root / "elsewhere/x.cu"
    source.write_text("// the problem: gemm is hard\n" + "\n" * 20 + "// problem: gemm\n")

    with pytest.raises(UserError, match="which problem is it for"):
        find.problem(source, None)


def test_a_file_of_no_problem_says_what_was_looked_at(root: Path) -> None:
    """The message names the flag, the line, the folders and the problems there are."""
    source = root / "elsewhere/x.cu"
    source.touch()

    with pytest.raises(UserError) as raised:
        find.problem(source, None)

    assert str(raised.value) == (
        "x.cu: which problem is it for? no --problem (PROBLEM=) was given, there is no "
        "'// problem: NAME' line in its first 20 lines, and no folder it lies in is named like a "
        "problem: gemm, softmax"
    )


def test_an_unknown_problem_is_named_with_its_source(root: Path) -> None:
    """A wrong slug says whether the flag or the file named it, and offers the nearest."""
    source = root / "elsewhere/x.cu"
    source.write_text("// problem: gem\n")

    with pytest.raises(UserError, match=r"^x\.cu: '// problem:' line: gem: .*did you mean gemm\?"):
        find.problem(source, None)
    with pytest.raises(UserError, match=r"^problem: sofmax: .*did you mean softmax\?"):
        find.problem(source, "sofmax")


def test_a_byte_order_mark_hides_nothing(root: Path) -> None:
    """An editor that begins files with a BOM does not take the first line away."""
    source = root / "x.cu"
    source.write_text("// problem: gemm\n", encoding="utf-8-sig")

    assert find.problem(source, None) == root / "problems/gemm"
