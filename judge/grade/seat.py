"""Where a worker process of a grading runs: on processors of its own, on a GPU of its own.

Imports nothing but the standard library, so that a process can take its seat before NumPy counts
the processors and CUDA the cards.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Seat:
    """The processors of a worker process (empty: all) and its GPU ("": none of its own)."""

    processors: tuple[int, ...] = ()
    device: str = ""


def deal(workers: int, devices: Sequence[str] = ()) -> tuple[Seat, ...]:
    """The processors of this process dealt out to so many workers; one GPU each, if there are any.

    A judge uses all processors it may; many at once must share them without getting in each
    other's way.
    """
    mine = sorted(os.sched_getaffinity(0))
    many = min(workers, len(devices)) if devices else workers
    return tuple(
        Seat(
            processors=tuple(mine[number::many]) or (mine[number % len(mine)],),
            device=devices[number] if devices else "",
        )
        for number in range(many)
    )


def take(seat: Seat, parent: int) -> int:
    """Begin a worker process; its id.  parent: the process that it must not outlive

    A judge that is killed cannot end its workers, and one that is interrupted ends them itself.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it was gone before we asked
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sit(seat)
    return os.getpid()


def sit(seat: Seat) -> None:
    """Run on the processors and the GPU of a seat from here on."""
    if seat.processors:
        os.sched_setaffinity(0, seat.processors)
    if seat.device:
        os.environ["CUDA_VISIBLE_DEVICES"] = seat.device
