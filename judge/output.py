"""What commands print: results to stdout, remarks to stderr, each through one door."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from judge.model import ExitCode, Report
from judge.paths import shortened
from judge.printable import printable


def write(stream: TextIO, render: Callable[..., str]) -> None:
    """Print what `render` makes for this stream."""
    from judge.report import screen_of

    stream.write(render(screen_of(stream)))
    stream.flush()


def show_report(report: Report, stream: TextIO) -> None:
    """The screen first, then the history: what fails there must not hide the verdict."""
    from judge import history
    from judge.report import render

    write(stream, lambda screen: render(report, screen))
    warn(history.append(report))


def write_json(text: str, target: str, code: int) -> int:
    """Write the JSON; the exit code, which a verdict nobody received turns into a judge error."""
    from judge import jsonl

    if target == "-":
        write(sys.stdout, lambda screen: text)
        return code
    try:
        jsonl.write(text, Path(target))
    except OSError as error:
        line = f"judge: --json: {target}: cannot be written: {error.strerror}"
        return complain(line, ExitCode.JUDGE_ERROR)
    return code


def complain(text: str, code: int) -> int:
    """Say why a command ends, and give its exit code."""
    warn(text)
    return int(code)


def warn(text: str) -> None:
    """One line to stderr; nothing for an empty one."""
    if text:
        print(printable(shortened(text), 2000), file=sys.stderr)
