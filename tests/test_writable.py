"""judge/writable.py: what a command could not write is refused before it does any work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from judge import backend, cli, history, writable
from judge.find import ROOT
from judge.model import UserError

TILED = str(ROOT / "submissions" / "gemm_fp16" / "tiled.cu")
# An option that names a file to write, behind a command that would run for a while.
WRITING = {
    "run --json": ("run", TILED, "--json={}"),
    "run --format": ("run", TILED, "--format=csv=-", "--format=junit={}"),
    "sweep --json": ("sweep", TILED, "-D", "TILE=8,16", "--json={}"),
    "grade --out": ("grade", str(ROOT / "submissions" / "gemm_fp16"), "--problem=gemm_fp16",
                    "--out={}"),
}  # fmt: skip


def _no_folder(folder: Path) -> Path:
    return folder / "missing" / "x"


def _a_folder(folder: Path) -> Path:
    return folder


def _below_a_file(folder: Path) -> Path:
    (folder / "file").write_text("")
    return folder / "file" / "x"


def _in_a_folder_that_takes_none(folder: Path) -> Path:
    return Path("/proc/x")  # to root as well


def _a_link_to_itself(folder: Path) -> Path:
    (folder / "loop").symlink_to("loop")
    return folder / "loop"


WRONG = [_no_folder, _a_folder, _below_a_file, _in_a_folder_that_takes_none, _a_link_to_itself]


PAIRS = [
    pytest.param(command, wrong, id=f"{name} {wrong.__name__[1:]}")
    for name, command in WRITING.items()
    for wrong in WRONG
    if not (name == "grade --out" and wrong in (_no_folder, _a_folder))  # grade makes folders
]


@pytest.mark.parametrize(("command", "wrong"), PAIRS)
def test_nothing_is_judged_for_a_file_that_cannot_be_written(
    command: tuple[str, ...],
    wrong: Callable[[Path], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 2 and one line that names option, path and reason; no backend is even loaded."""
    monkeypatch.setattr(backend, "load", lambda name: pytest.fail("judged all the same"))
    monkeypatch.setattr(history, "PATH", tmp_path / "history.jsonl")
    path = wrong(tmp_path)
    before = sorted(tmp_path.rglob("*"))

    assert cli.main([word.format(path) for word in command]) == 2
    out, err = capsys.readouterr()
    option = command[-1].partition("=")[0]
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"judge: {option}: {path}: cannot be written: ")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_missing_folder_is_named_with_the_command_that_makes_it(tmp_path: Path) -> None:
    """The next step can be pasted."""
    with pytest.raises(UserError, match=r"there is no folder .*; make it first: mkdir -p '.*a b'$"):
        writable.file("--json", tmp_path / "a b" / "x.json")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_what_is_read_only_is_left_alone(tmp_path: Path) -> None:
    """A folder, and a file that could be replaced but is marked as one to keep."""
    kept = tmp_path / "kept.json"
    kept.write_text("")
    kept.chmod(0o444)
    with pytest.raises(UserError, match="is not writable"):
        writable.file("--json", kept)
    tmp_path.chmod(0o555)
    try:
        for look in (writable.file, writable.folder):
            with pytest.raises(UserError, match=r"no file can be made in .*: Permission denied"):
                look("--json", tmp_path / "x")
    finally:
        tmp_path.chmod(0o755)


def test_what_can_be_written_is_and_leaves_no_trace(tmp_path: Path) -> None:
    """New files, files that are there, links, devices; for a folder also what is to be made."""
    (tmp_path / "there").write_text("as it was")
    (tmp_path / "link").symlink_to(tmp_path / "new")
    for path in (tmp_path / "x", tmp_path / "there", tmp_path / "link", Path("/dev/null")):
        writable.file("--json", path)
    for folder in (tmp_path, tmp_path / "a" / "b"):
        writable.folder("--out", folder)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "there"]
    assert (tmp_path / "there").read_text() == "as it was"


def test_a_pipe_that_nobody_reads_yet_does_not_hold_the_judge_up(tmp_path: Path) -> None:
    """Only a look: opening it would wait for its reader, and closing it would end it."""
    os.mkfifo(tmp_path / "pipe")

    writable.file("--json", tmp_path / "pipe")


def test_every_option_that_names_a_file_is_looked_at() -> None:
    """A new option whose help says FILE or OUT, and that is written to, must be refused up front:
    it is in the table above, or here with the reason why not."""
    read_only = {"leaderboard --results"}
    (commands,) = (a.choices for a in cli.parser()._actions if a.dest == "command")
    named = {
        f"{name} {action.option_strings[0]}"
        for name, command in dict(commands or {}).items()
        for action in command._actions
        if action.option_strings and {"FILE", "OUT", "NAME=FILE"} & {str(action.metavar)}
    }

    assert named - read_only == set(WRITING)
