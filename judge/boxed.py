"""Run a program that nobody trusts to its end, in a box: a compiler, a disassembler."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.box import Box, Event
from judge.confine import Bounds


@dataclass(frozen=True)
class Completed:
    """A program that was run to its end.

    returncode: exit status, or minus the number of the signal that ended it
    output:     stdout and stderr together, as printed, cut to the bound
    cut:        whether there was more output than kept
    stopped:    TIME, MEMORY or PROCESSES if the judge ended it, else None
    """

    returncode: int
    output: bytes
    cut: bool
    seconds: float
    stopped: Event | None


def run_boxed(
    argv: Sequence[str],
    cwd: Path,
    seconds: float,
    memory_bytes: int,
    output_bytes: int,
    env: Mapping[str, str],
    readable: Sequence[Path] = (),
) -> Completed:
    """Run a program to its end, or until a bound.

    It may write in `cwd` only, as far as the system enforces that.  Raises JudgeError if it cannot
    be started; a bad exit status is the caller's to judge.
    """
    started = time.monotonic()
    bounds = Bounds(memory_bytes=memory_bytes, output_bytes=output_bytes)
    with Box(argv, cwd=cwd, env=env, bounds=bounds, readable=readable) as box:
        event = box.wait(started + seconds)
        returncode = box.end()
        output, cut = box.take_output()
    stopped = None if event is Event.ENDED else event
    return Completed(returncode, output, cut, time.monotonic() - started, stopped)
