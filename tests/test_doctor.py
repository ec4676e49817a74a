"""judge/doctor.py: what this machine has and lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import doctor, tables
from judge.doctor import Finding, Level
from judge.report import Screen


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH that holds nothing but what a test puts there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def say(folder: Path, program: str, text: str, status: int = 0) -> None:
    """Put a program on the PATH that prints `text`."""
    path = folder / program
    path.write_text(f"#!/bin/sh\nprintf '%s\\n' '{text}'\nexit {status}\n")
    path.chmod(0o755)


def finding(name: str) -> Finding:
    """What the doctor says of one piece."""
    return next(found for found in doctor.examine() if found.name == name)


def test_every_piece_is_looked_at_even_where_nothing_is_installed(programs: Path) -> None:
    """An empty machine gets a whole list and not a traceback."""
    names = [found.name for found in doctor.examine()]

    assert names == [
        "system", "python", "packages", "g++", "make", "addr2line", "folders", "cores",
        "bubblewrap", "cgroups", "nvcc", "gpu", "pycuda",
    ]  # fmt: skip


def test_a_missing_piece_says_what_it_would_give_and_how_to_get_it(programs: Path) -> None:
    """Nothing that can be mended is reported without the way to mend it."""
    lacking = [found for found in doctor.examine() if found.level is not Level.PASS]

    assert {"g++", "make", "addr2line", "bubblewrap", "nvcc"} <= {found.name for found in lacking}
    assert [found.name for found in lacking if not found.gives or not found.fix] == []


def test_only_what_every_run_needs_is_a_failure(programs: Path) -> None:
    """Without a compiler nothing runs; without CUDA the CPU backend does."""
    failed = {found.name for found in doctor.examine() if found.level is Level.FAIL}

    assert failed == {"g++"}


@pytest.mark.parametrize(
    ("version", "level"),
    [("12.2.0", Level.PASS), ("9.4.0", Level.PASS), ("8.5.0", Level.FAIL), ("clang", Level.FAIL)],
)
def test_a_compiler_that_is_too_old_is_a_failure(
    version: str, level: Level, programs: Path
) -> None:
    """Better told by the doctor than by a page of compiler errors."""
    say(programs, "g++", version)

    assert finding("g++").level is level
    assert finding("g++").found.startswith(version)


def test_a_program_that_fails_counts_as_missing(programs: Path) -> None:
    """An nvcc that cannot even print its version builds nothing."""
    say(programs, "nvcc", "release 13.0", status=1)

    assert finding("nvcc").found == "not found"


def test_make_that_is_not_gnu_make_is_not_enough(programs: Path) -> None:
    """The Makefile uses GNU make's functions."""
    say(programs, "make", "bmake 20200710")
    assert finding("make").level is Level.CAUTION

    say(programs, "make", "GNU Make 4.3")
    assert finding("make").level is Level.PASS


def test_the_boundaries_say_what_is_not_enforced_too() -> None:
    """A user who runs somebody else's file knows what is not kept in."""
    sentences = doctor.boundaries()

    assert any(sentence.lower().startswith("enforced") for sentence in sentences)
    assert any(sentence.lower().startswith("not enforced") for sentence in sentences)


def test_a_finding_is_a_line_and_advice_only_where_something_is_missing() -> None:
    """A good machine reads as a short list."""
    screen = Screen()

    assert tables.finding(Finding("g++", Level.PASS, "12.2.0", "x", "y"), screen) == (
        "PASS    g++        12.2.0\n"
    )
    assert tables.finding(Finding("nvcc", Level.CAUTION, "not found", "x", "y"), screen) == (
        "CAUTION nvcc       not found\n"
        "                   would give: x\n"
        "                   fix: y\n"
    )
