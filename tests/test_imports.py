"""The shape of the package: imports point one way, rooms stay small, and each has a test."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

from judge.find import ROOT

PACKAGE = ROOT / "judge"
# By dotted name below the package: `spec`, `grade.conduct`.
ROOMS = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MOST_LINES = 250
# Larger rooms, each with its reason.
LARGE = {"model": "the whole vocabulary in one place, read first; types and docstrings only"}
# Rooms that a test runs as a program of its own instead of importing them.
RUN_AS_PROGRAMS = {
    "__main__": "test_cli.py",
    "worker": "test_worker.py",
    "debugged": "test_debug.py",
    "gpudriver": "test_gputool.py",
}
# What only one room may import: everybody else can then be read and tested without it.
ONLY_IN = {"pycuda": {"gpu"}, "torch": {"leetgpu.ontorch"}}


@functools.cache
def imported(path: Path) -> set[str]:
    """The dotted names that a file imports, at the top or inside a function.

    `from judge import a` gives judge.a, `from judge.a import b` gives judge.a and judge.a.b.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def rooms_of(path: Path) -> set[str]:
    """The rooms of the judge that a file imports."""
    found = set()
    for name in imported(path):
        first, *parts = name.split(".")
        ends = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        if first == "judge":
            found.add(next((end for end in ends if end in ROOMS), ""))
    return found - {""}


IMPORTS = {room: rooms_of(path) for room, path in ROOMS.items()}


def test_imports_point_one_way() -> None:
    """No room imports, however far around, a room that imports it."""
    left = {room: set(used) for room, used in IMPORTS.items()}
    while left:
        free = {room for room, used in left.items() if not used & set(left)}
        assert free, f"these import each other in a circle: {sorted(left)}"
        left = {room: used for room, used in left.items() if room not in free}


def test_the_vocabulary_imports_nothing_of_ours() -> None:
    """model.py can be read first and alone."""
    assert IMPORTS["model"] == set()


def test_the_worker_knows_nothing_of_the_judge_s_secrets() -> None:
    """The process that loads a submission imports neither spec, cases, reference nor checker."""
    reached: set[str] = set()
    todo = {"worker"}
    while todo:
        room = todo.pop()
        reached.add(room)
        todo |= IMPORTS[room] - reached

    assert not reached & {"spec", "cases", "reference", "checker", "run", "draws", "answers"}


def test_the_rooms_of_the_work_do_not_know_the_command_line() -> None:
    """Only __main__, cli and commands know what may be typed; nobody else prints or exits."""
    users = {room for room, used in IMPORTS.items() if used & {"cli", "commands"}}

    assert users <= {"__main__", "cli"}


@pytest.mark.parametrize(("package", "rooms"), ONLY_IN.items())
def test_a_heavy_package_has_one_door(package: str, rooms: set[str]) -> None:
    """pycuda is imported in one file; all others work on a machine without it."""
    users = {
        room
        for room, path in ROOMS.items()
        if any(name.split(".")[0] == package for name in imported(path))
    }

    assert users <= rooms


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_small(room: str) -> None:
    """A file can be read in one sitting; a larger one is named above with its reason."""
    lines = len(ROOMS[room].read_text(encoding="utf-8").splitlines())

    assert lines <= MOST_LINES or room in LARGE, f"judge/{room}.py has {lines} lines"
    assert room not in LARGE or lines > MOST_LINES, f"judge/{room}.py needs no exemption any more"


def covering(room: str) -> list[str]:
    """The tests that import a room, or that run it as the program it is.

    A room that just one other room uses is a part of that one, and tested through it.
    """
    if room in RUN_AS_PROGRAMS:
        return [path.name for path in TESTS if path.name == RUN_AS_PROGRAMS[room]]
    users = [user for user, used in IMPORTS.items() if room in used]
    found = [path.name for path in TESTS if room in rooms_of(path)]
    return found or (covering(users[0]) if len(users) == 1 else [])


@pytest.mark.parametrize("room", sorted(room for room in ROOMS if not room.endswith("__init__")))
def test_a_room_has_a_test(room: str) -> None:
    """No room is without a test that fails when it breaks."""
    assert covering(room), f"no test imports judge/{room}.py, nor a room that it is a part of"


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_a_test_states_a_fact(path: Path) -> None:
    """Every test has a docstring that says what the product does."""
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]

    assert [node.name for node in functions if not ast.get_docstring(node)] == []
