"""Run a program that nobody trusts to its end, in a box: a compiler, a disassembler."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge import cage
from judge.box import Box, Event
from judge.confine import Bounds
from judge.model import JudgeError
from judge.reach import Reach

_CPU_FACTOR = 4.0
"""Processor time for each second of the wall clock: of a process with threads, killed by the kernel
even where the judge is stopped."""


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
    reads: Sequence[Path] = (),
    writes: Sequence[Path] = (),
) -> Completed:
    """Run a program to its end, or until a bound.

    It may write in `cwd` and `writes`, and read there, in `reads` and what every program needs, as
    far as the system enforces that.  Raises JudgeError if it cannot be started; a bad exit status
    is the caller's to judge.
    """
    started = time.monotonic()
    bounds = Bounds(memory_bytes, output_bytes, cpu_seconds=math.ceil(_CPU_FACTOR * seconds))
    reach = Reach(tuple(reads), tuple(writes), programs=True)
    with Box(argv, cwd=cwd, env=env, bounds=bounds, reach=reach) as box:
        event = box.wait(started + seconds)
        returncode = box.end()
        output, cut = box.take_output()
    if returncode == cage.BROKEN and output.startswith(b"cage: "):
        raise JudgeError(output.decode("utf-8", "replace").strip())
    stopped = None if event is Event.ENDED else event
    return Completed(returncode, output, cut, time.monotonic() - started, stopped)
