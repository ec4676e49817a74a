"""The result of a file that has been judged under another's name, as its own.

Nobody is handed the name of another student: where a report names a file, it is the copy's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from judge.grade.collect import Entry
from judge.grade.model import Graded
from judge.printable import printable


def copy(graded: Graded, entry: Entry) -> Graded:
    """What was found of `graded`, for an entry that is the same file."""
    as_json = _renamer(graded.submission, entry.submission, _escaped)
    on_screen = _renamer(graded.submission, entry.submission, printable)
    tests = tuple(
        replace(test, message=as_json(test.message), file=as_json(test.file))
        for test in graded.tests
    )
    return replace(
        graded,
        name=entry.name,
        submission=entry.submission,
        report=_deep(graded.report, as_json),
        tests=tests,
        same_as=graded.name,
        seconds=0.0,
        screen=on_screen(graded.screen),
    )


def _escaped(text: str) -> str:
    """As judge/jsonl.py has it."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _renamer(old: str, new: str, form: Callable[[str], str]) -> Callable[[str], str]:
    """Puts a path, whole, in place of another, and its folder in place of the other's."""
    pairs = [(form(old), form(new))]
    folder, other = (path.rpartition("/")[0] for path in (old, new))
    if folder:
        pairs.append((f"{form(folder)}/", f"{form(other)}/" if other else ""))

    def rename(text: str) -> str:
        for before, after in pairs:
            escaped = after.replace("\\", r"\\")
            text = re.sub(rf"(?<![\w./-]){re.escape(before)}", escaped, text)
        return text

    return rename


def _deep(value: Any, rename: Callable[[str], str]) -> Any:
    """The same JSON with its strings renamed."""
    if isinstance(value, str):
        return rename(value)
    if isinstance(value, dict):
        return {key: _deep(one, rename) for key, one in value.items()}
    return [_deep(one, rename) for one in value] if isinstance(value, list) else value
