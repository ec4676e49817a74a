"""judge/doctor.py: what this machine has and lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import devices, doctor, gpu, isolation, tables, toolkit
from judge.model import JudgeError
from judge.pieces import Finding, Level
from judge.report import Screen


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH that holds nothing but what a test puts there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(toolkit, "_FOLDERS", ())
    monkeypatch.setattr(toolkit, "library_folders", lambda: ())
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
        "bubblewrap", "cgroups", "torch", "nvcc", "gpu", "pycuda", "ncu", "sanitizer",
    ]  # fmt: skip


def test_a_missing_piece_says_what_it_would_give_and_how_to_get_it(programs: Path) -> None:
    """Nothing that can be mended is reported without the way to mend it."""
    lacking = [found for found in doctor.examine() if found.level is not Level.PASS]

    assert {"g++", "make", "addr2line", "nvcc"} <= {found.name for found in lacking}
    assert [found.name for found in lacking if not found.gives or not found.fix] == []


@pytest.mark.parametrize(
    ("offers", "level", "said"),
    [
        ({isolation.LANDLOCK, isolation.SECCOMP, isolation.PRIVILEGES}, Level.PASS, "not needed"),
        (
            {isolation.SECCOMP, isolation.PRIVILEGES},
            Level.CAUTION,
            "files_read, files_write, processes",
        ),
        (set(), Level.CAUTION, "files_read, files_write, network, privileges, processes"),
    ],
)
def test_bubblewrap_is_missed_only_where_nothing_else_does_its_work(
    offers: set[str], level: Level, said: str, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not enforced without it is named; where the kernel does it all, it is not needed."""
    have = offers | {isolation.SUBREAPER, isolation.SAMPLING}
    monkeypatch.setattr(isolation, "offered", lambda: frozenset(have))
    monkeypatch.setattr(doctor, "bubblewrap", lambda: "")

    found = finding("bubblewrap")

    assert found.level is level
    assert said in (found.gives or found.found)


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


@pytest.mark.parametrize(
    ("program", "name", "command"),
    [("ncu", "ncu", "make profile"), ("compute-sanitizer", "sanitizer", "make sanitize")],
)
def test_nvidia_s_tools_are_looked_for(
    program: str, name: str, command: str, programs: Path
) -> None:
    """Each with its version and place, or what it would give and what to install."""
    missing = finding(name)
    assert missing.level is Level.CAUTION
    assert missing.found == f"{program}: not found on PATH or in CUDA_HOME"
    assert command in missing.gives
    assert missing.fix.startswith("install ")

    say(programs, program, "Version 2025.3.1.0 (build 1)")
    assert finding(name).level is Level.PASS
    assert finding(name).found == f"{program}, Version 2025.3.1.0 (build 1) at {programs / program}"


def test_where_a_gpu_answers_it_says_how_arrays_get_there(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By CUDA IPC or over the host; a worker that does not start is told, and is no failure."""
    answers: list[str | JudgeError] = [
        "buffers by CUDA IPC",
        "buffers by shared memory: no IPC",
        JudgeError("worker: did not start"),
    ]

    def buffers() -> str:
        answer = answers.pop(0)
        if isinstance(answer, JudgeError):
            raise answer
        return answer

    monkeypatch.setattr(devices, "probe_gpu", lambda: "NVIDIA X")
    monkeypatch.setattr(gpu, "buffers", buffers)
    found = [finding("gpu") for _ in range(3)]

    assert [one.found for one in found] == [
        "NVIDIA X; buffers by CUDA IPC",
        "NVIDIA X; buffers by shared memory: no IPC",
        "NVIDIA X; no worker starts: worker: did not start",
    ]
    assert [one.level for one in found] == [Level.PASS, Level.PASS, Level.CAUTION]


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
