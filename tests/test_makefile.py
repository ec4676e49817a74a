"""What may be given to make: nothing is passed over in silence, nothing needed is missing."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([a-z-]+):.*## ", TEXT, re.MULTILINE)


def make(*words: str) -> tuple[int, str]:
    """The exit code of `make -n`, which expands every command and runs none, and its stderr."""
    done = subprocess.run(
        ["make", "-n", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def test_control_nothing_comes_from_the_make_that_runs_the_tests() -> None:
    """`make test ARGS="-k make"` gives no ARGS to the makes of these tests."""
    assert not {"MAKEFLAGS", "MAKELEVEL"} & os.environ.keys()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("given", ["SUP=x", "SIZE=1", "NAME=x", "RESULTS=x", "ARGS=x"])
def test_a_variable_that_a_target_does_not_take_is_refused(target: str, given: str) -> None:
    """By its name, with those that the target takes; a sweep takes macros of any name."""
    name = given.partition("=")[0]
    line = next(one for one in TEXT.splitlines() if one.startswith(f"{target}:"))
    code, said = make(target, given)

    if name in re.findall(r"\b[A-Z]+\b(?==)", line) or (target, name) == ("sweep", "SUP"):
        assert f"{name} is no variable" not in said
    else:
        assert code == 2
        assert f"{target}: {name} is no variable of `make {target}`; it takes" in said
        assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (["judge"], "SUB"),
        (["judge", "SUB="], "SUB"),
        (["grade", "DIR=x"], "PROBLEM"),
        (["grade", "PROBLEM=x"], "DIR"),
        (["leaderboard"], "PROBLEM"),
        (["new", "SUB=x.cu"], "PROBLEM"),
        (["new-problem"], "NAME"),
        (["compare", "A=x.cu"], "B"),
        (["which"], "SUB"),
        (["sweep", "TILE=8"], "SUB"),
    ],
)
def test_what_a_target_needs_is_asked_for(words: list[str], missing: str) -> None:
    """One line with an example."""
    code, said = make(*words)

    assert code == 2
    assert f"{words[0]}: {missing}= is missing; give it, as in: make {words[0]} " in said
    assert said.count("\n") == 1


def test_the_name_of_the_computer_is_no_problem() -> None:
    """WSL exports NAME: no target takes it for what its user typed."""
    show = ["-p", "-n", "lint-problem"]
    for typed in ([], ["NAME=vector_add"]):
        done = subprocess.run(
            ["make", *show, *typed],
            cwd=ROOT,
            env={**os.environ, "NAME": "DESKTOP-1234"},
            capture_output=True,
            text=True,
            check=False,
        )
        (line,) = re.findall(r"^ARG_NAME := ?(.*)$", done.stdout, re.MULTILINE)
        assert line == "".join(typed).removeprefix("NAME=")
