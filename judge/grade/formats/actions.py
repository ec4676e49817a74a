"""GitHub Actions workflow commands: an annotation at the line of each fault.

Shape: GitHub, "Workflow commands"; escapes as in actions/toolkit.  At most ten annotations of a
kind a step are shown, so what is beyond is told in the last one.  Commands in the text of a
submission are disarmed: it never begins a line, and % and line ends are escaped.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import PurePosixPath

from judge.grade.model import Graded, GradedTest, Grading
from judge.printable import printable, printable_lines

MOST = 10


def render(grading: Grading, folder: str = "") -> bytes:
    """The annotations, a line each, UTF-8.  folder: from the repository's root to the files"""
    found = [
        line
        for graded in grading.results
        for test in graded.tests
        if test.verdict != "AC"
        for line in _annotation(graded, test, folder)
    ]
    if len(found) > MOST:
        more = len(found) - (MOST - 1)
        found = [*found[: MOST - 1], f"::error title=judge::{more} more are in the summary"]
    return "".join(f"{line}\n" for line in found).encode()


def disarmed(text: str) -> str:
    """Text of a submission for a job's log: no command in it is obeyed."""
    token = secrets.token_hex(16)
    lines = "\n".join(printable_lines([text], 400))
    return f"::stop-commands::{token}\n{lines}\n::{token}::\n"


def _annotation(graded: Graded, test: GradedTest, folder: str) -> Iterator[str]:
    title = f"{test.verdict} {test.reason}: {printable(graded.name, 80)}"
    parts = [f"title={_property(title)}"]
    if test.file:
        file = printable(str(PurePosixPath(folder, test.file)), 2000)
        parts = [f"file={_property(file)}", f"line={max(test.line, 1)}", *parts]
    message = "\n".join(printable_lines([f"{test.name}: {test.message}"], 12))
    yield f"::error {','.join(parts)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
