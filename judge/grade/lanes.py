"""Jobs on this machine, side by side: a lane is a worker process with processors of its own.

A lane whose process dies is begun anew and its job tried once more; a job that kills two processes,
or takes longer than anybody waits, is JE and costs no other job its result.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress

from judge.grade import job, seat
from judge.grade.job import Job, Result
from judge.grade.seat import Seat

MOST_DEATHS = 2
PATIENCE_SECONDS = 900.0
"""For one submission; limits of its own end it long before."""
_TICK = 1.0


class _Lane:
    """One worker process at a time, and the job it has."""

    def __init__(self, where: Seat) -> None:
        self._where = where
        self.job = -1
        self.deaths = 0
        self.future: Future[Result] | None = None
        self._since = 0.0
        self._begin()

    def _begin(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, mp_context=spawn)
        self._pid = self._pool.submit(seat.take, self._where, os.getpid())

    def take(self, number: int, one: Job) -> Future[Result]:
        """Begin a job."""
        if number != self.job:
            self.deaths = 0
        self.job, self._since = number, time.monotonic()
        try:
            self.future = self._pool.submit(job.judge, one)
        except BrokenProcessPool:
            self._begin()
            self.future = self._pool.submit(job.judge, one)
        return self.future

    def died(self) -> None:
        """Its process is gone: begin another."""
        self.deaths += 1
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._begin()

    def overdue(self) -> bool:
        """Whether nobody waits any longer."""
        return self.future is not None and time.monotonic() - self._since > PATIENCE_SECONDS

    def kill(self) -> None:
        """End the process, whatever it does."""
        with suppress(Exception):
            os.kill(self._pid.result(timeout=5), signal.SIGKILL)

    def close(self) -> None:
        """End it all."""
        if self.future is not None and not self.future.done():
            self.kill()
        self._pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def run(jobs: Sequence[Job], where: Sequence[Seat]) -> Iterator[Iterator[tuple[int, Result]]]:
    """(index, result) of each job as it ends.  Leaving the block ends what still runs."""
    lanes = [_Lane(one) for one in where[: len(jobs)]]
    try:
        yield _results(jobs, lanes)
    finally:
        for lane in lanes:
            lane.close()


def _results(jobs: Sequence[Job], lanes: Sequence[_Lane]) -> Iterator[tuple[int, Result]]:
    waiting = iter(range(len(jobs)))
    busy: dict[Future[Result], _Lane] = {}

    def next_job(lane: _Lane) -> None:
        number = next(waiting, None)
        lane.future = None
        if number is not None:
            busy[lane.take(number, jobs[number])] = lane

    for lane in lanes:
        next_job(lane)
    while busy:
        ended, _ = wait(busy, timeout=_TICK, return_when=FIRST_COMPLETED)
        for future in ended:
            lane = busy.pop(future)
            number = lane.job
            if isinstance(future.exception(), BrokenProcessPool):
                late = lane.overdue()
                lane.died()
                if not late and lane.deaths < MOST_DEATHS:
                    busy[lane.take(number, jobs[number])] = lane
                    continue
                why = f"no end after {PATIENCE_SECONDS:g} s" if late else "its process died twice"
                yield number, job.result(job.lost(why, jobs[number]), 0.0)
            else:
                error = future.exception()
                lost = error and job.result(job.lost(repr(error), jobs[number]), 0.0)
                yield number, lost or future.result()
            next_job(lane)
        for lane in busy.values():
            if lane.overdue():
                lane.kill()
