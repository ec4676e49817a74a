"""Jobs on a Dask cluster: many machines, each with this judge installed.

A job travels with the bytes of the submission, its headers and the problem's folder, so no file
system is shared.  A job on a GPU asks for the resource GPU=1 (`dask worker --resources GPU=1`), one
worker for each card.  Work of a node that is lost is done again by Dask; the client alone writes.
"""

from __future__ import annotations

import importlib
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from judge import __version__, source
from judge.grade import job, seat
from judge.grade.job import Job, Result
from judge.model import UserError

RETRIES = 2
_WAIT_SECONDS = 60.0
_alone = threading.Lock()
"""A node judges one submission at a time, however many threads it has: each may use all of it."""


@dataclass(frozen=True)
class Parcel:
    """A job with the files it needs: by path below the graded folder, by name in the problem's."""

    job: Job
    submission: Mapping[str, bytes]
    slug: str
    problem: Mapping[str, bytes]
    version: str


def pack(one: Job) -> Parcel:
    """Put the files of a job into a parcel.  Raises UserError for a submission that is none."""
    path, problem = Path(one.folder, one.path), Path(one.problem)
    text = source.read(path)
    files = {one.path: text.encode()}
    for header in source.local_headers(path, text):
        files[str(Path(one.path).parent / header.name)] = header.text.encode()
    spec = {file.name: file.read_bytes() for file in problem.iterdir() if file.is_file()}
    return Parcel(one, files, problem.name, spec, __version__)


def judge(parcel: Parcel) -> Result:
    """Unpack and judge: what a node does."""
    if parcel.version != __version__:
        why = f"this node has judge {__version__}, expected {parcel.version}"
        return job.result(job.lost(why, parcel.job), 0.0)
    with _alone, tempfile.TemporaryDirectory(prefix="judge-") as place:
        problem, folder = Path(place, "problem", parcel.slug), Path(place, "folder")
        for top, files in ((problem, parcel.problem), (folder, parcel.submission)):
            for name, data in files.items():
                (top / name).parent.mkdir(parents=True, exist_ok=True)
                (top / name).write_bytes(data)
        return job.judge(replace(parcel.job, folder=str(folder), problem=str(problem)))


@contextmanager
def run(
    scheduler: str | None, workers: int | None, on_gpu: bool, jobs: Sequence[Job]
) -> Iterator[Iterator[tuple[int, Result]]]:
    """(index, result) of each job as it ends.

    scheduler: address of a running cluster, or None for `workers` processes here.  Raises UserError
    where Dask is missing or no scheduler answers.
    """
    try:
        # Untyped, and large: only a grading on a cluster loads it.
        distributed: Any = importlib.import_module("distributed")
    except ModuleNotFoundError:
        raise UserError(
            "--scheduler, --workers: the package distributed is missing; install it with "
            "`.venv/bin/pip install 'distributed>=2024.1'`, or use --jobs"
        ) from None
    resources = {"GPU": 1} if on_gpu else {}
    with ExitStack() as stack:
        try:
            if scheduler is None:
                there: Any = stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=workers, threads_per_worker=1, processes=True,
                        resources=resources, dashboard_address=None,
                    )
                )  # fmt: skip
            else:
                there = scheduler
            client = stack.enter_context(distributed.Client(there, timeout=_WAIT_SECONDS))
        except (OSError, ValueError) as error:
            where = f"--scheduler: {scheduler}" if scheduler else "--workers"
            raise UserError(f"{where}: no answer: {error}") from error
        _ready(client, on_gpu)
        if scheduler is None:
            _seated(client)
        yield _results(distributed, client, jobs, resources)


def _results(
    distributed: Any, client: Any, jobs: Sequence[Job], resources: Mapping[str, int]
) -> Iterator[tuple[int, Result]]:
    futures = {}
    for number, one in enumerate(jobs):
        try:
            parcel = pack(one)
        except UserError as error:
            yield number, job.result(job.refused(str(error), one), 0.0)
            continue
        future = client.submit(judge, parcel, resources=resources, retries=RETRIES, pure=False)
        futures[future] = number
    for future in distributed.as_completed(list(futures)):
        number = futures.pop(future)
        gone = future.exception()
        if gone is None:
            yield number, future.result()
        else:  # every node that tried it died
            yield number, job.result(job.lost(f"no node came back: {gone!r}", jobs[number]), 0.0)
        future.release()


def _ready(client: Any, on_gpu: bool) -> None:
    """Raise UserError where nobody is there who could do the work."""
    try:
        client.wait_for_workers(1, timeout=_WAIT_SECONDS)
    except (OSError, TimeoutError):
        message = f"no worker within {_WAIT_SECONDS:g} s; start one: dask worker tcp://HOST:PORT"
        raise UserError(f"--scheduler: {message}") from None
    there = client.scheduler_info()["workers"].values()
    if on_gpu and not any(worker.get("resources", {}).get("GPU") for worker in there):
        raise UserError(
            "--scheduler: no worker has a GPU; start one for each card: CUDA_VISIBLE_DEVICES=0 "
            "dask worker --resources GPU=1 tcp://HOST:PORT, or add --backend cpu"
        )


def _seated(client: Any) -> None:
    """Deal the processors of this machine out to the workers of a cluster that is here alone."""
    workers = list(client.nthreads())
    for address, where in zip(workers, seat.deal(len(workers)), strict=True):
        client.run(seat.sit, where, workers=[address])
