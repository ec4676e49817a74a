"""The command that repeats a run."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from judge import again, cli
from judge import spec as specs
from judge.model import Request


def request_for(source: Path, defines: tuple[str, ...] = ()) -> Request:
    """A request as the command line makes it."""
    return Request(source, specs.load("gemm_fp16"), "cpu", defines, None, None)


def test_command_survives_the_shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Spaces, quotes and a leading dash in a name reach the judge as they are."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "-it's mine $(x).cu"

    words = shlex.split(again.command(request_for(source, ("A=1",)), "ab", "normal,M=1"))

    at = words.index("run") + 1
    assert Path(words[at]).resolve() == source
    assert not words[at].startswith("-")
    assert words[1:3] == ["-m", "judge"]
    assert words[words.index("--case") + 1] == "normal,M=1"


def test_command_names_this_interpreter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The interpreter is given as one types it: below the current folder, or in full."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv/bin/python"))
    assert again.command(request_for(Path("a.cu")), "ab", None).startswith(".venv/bin/python -m")

    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    assert again.command(request_for(Path("a.cu")), "ab", None).startswith("/usr/bin/python3 -m")


def test_command_is_understood_by_the_command_line() -> None:
    """What is printed parses to the same file, case, seed and defines."""
    words = shlex.split(again.command(request_for(Path("a.cu"), ("A=1", "B=2")), "ab", "id"))

    parsed = cli.parser().parse_args(words[words.index("judge") + 1 :])

    assert (parsed.case, parsed.seed, parsed.defines) == ("id", "ab", ["A=1", "B=2"])
