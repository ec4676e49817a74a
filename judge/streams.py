"""The streams a command prints to, so that no reader's behaviour becomes a fault of the judge."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO


def settle() -> None:
    """Once, before anything is opened or printed.

    A descriptor that the caller closed (`>&-`) is the null device: else the next file that is
    opened would be it, and get what is printed.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, hence this one
    sys.stdin = sys.stdin or open(0, closefd=False, encoding="utf-8")  # noqa: SIM115
    sys.stdout = _stream(1, sys.stdout)
    sys.stderr = _stream(2, sys.stderr)


def end_when_left() -> None:
    """End with exit code 141, as by SIGPIPE, where the reader of stdout leaves: nothing is lost."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, _Patient):
        raw.ends = True


def _stream(number: int, was: TextIO | Any) -> TextIO:
    """In the place of a stream, with its encoding and buffering; `was` may be None."""
    return io.TextIOWrapper(
        io.BufferedWriter(_Patient(number, "wb", closefd=False)),
        encoding=getattr(was, "encoding", "utf-8"),
        errors="backslashreplace",
        line_buffering=getattr(was, "line_buffering", False),
        write_through=getattr(was, "write_through", False),
    )


class _Patient(io.FileIO):
    """A descriptor whose reader may leave early (`| head -1`): the rest goes nowhere.

    The command goes on to its end, and its exit code says what it found; or it `ends` at once.
    """

    ends = False

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            if self.ends:
                from judge.model import ExitCode  # which help and typing errors do without

                self.ends = False  # what is left in buffers is flushed once more
                raise SystemExit(int(ExitCode.READER_LEFT)) from None
            return memoryview(data).nbytes
