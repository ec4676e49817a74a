"""What commands print: results to stdout, remarks to stderr, each through one door."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from judge.model import ExitCode, Report
from judge.paths import shortened
from judge.printable import printable


def write(stream: TextIO, render: Callable[..., str]) -> None:
    """Print what `render` makes for this stream.  A reader who left is no fault of anyone's."""
    from judge.report import screen_of

    try:
        stream.write(render(screen_of(stream)))
        stream.flush()
    except BrokenPipeError:
        _to_nowhere(stream)


def flushed() -> bool:
    """Whether stdout took all that was left to write; of a reader who left nothing is said."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _to_nowhere(sys.stdout)
        return False
    return True


def reader_left() -> bool:
    """Whether a pipe that broke was stdout's, as after `| head -1`, and no worker's."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    left = any(event & select.POLLERR for _, event in poll.poll(0))
    if left:
        _to_nowhere(sys.stdout)
    return left


def _to_nowhere(stream: TextIO) -> None:
    """Python flushes once more at the end; let that go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


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
