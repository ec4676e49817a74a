"""The conductor of a grading: a folder, a problem, a backend -> a Grading, result by result.

In comes a Plan, out goes a Grading; on the way each submission is judged once (the same file twice
has one result), stored as it comes, and told of.  A grading that is interrupted, or whose judge is
killed, goes on from its store.  Where the jobs run is `lanes` (this machine) or `cluster`.
"""

from __future__ import annotations

import datetime
import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from judge import __version__, ledger
from judge.grade import collect, job, scoring
from judge.grade.collect import Entry
from judge.grade.job import Job, Result
from judge.grade.model import Graded, Grading
from judge.grade.store import Header, Store
from judge.model import Spec

Runner = Callable[[Sequence[Job]], AbstractContextManager[Iterator[tuple[int, Result]]]]
"""Jobs in, (index of the job, result) out, as they end; leaving the block ends what still runs."""


@dataclass(frozen=True)
class Plan:
    """What a grading is asked to do.  timed: as of model.Request"""

    folder: Path
    spec: Spec
    backend: str
    seed: str
    device: str
    defines: tuple[str, ...] = ()
    timed: int | None = 1


@dataclass(frozen=True)
class Step:
    """One submission is graded: `done` of `total`, `judged` of them by this process."""

    graded: Graded
    done: int
    total: int
    judged: int


Tell = Callable[[Step], None]


def header(plan: Plan) -> Header:
    """What the store keeps of a plan."""
    return Header(
        problem=plan.spec.slug,
        folder=str(plan.folder),
        backend=plan.backend,
        seed=plan.seed,
        defines=plan.defines,
        decides=decides(plan.spec),
        started=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
    )


def decides(spec: Spec) -> str:
    """sha256 over the problem, its cases and the judge: what a kept result must agree in."""
    return hashlib.sha256(f"{ledger.case_set(spec)}\n{__version__}".encode()).hexdigest()


def grade(plan: Plan, store: Store, run: Runner, tell: Tell) -> Grading:
    """Grade every entry of the folder that the store does not hold yet."""
    started = time.perf_counter()
    entries = collect.collect(plan.folder, plan.spec.slug)
    kept = {graded.name: graded for graded in store.done}
    by_digest = {graded.sha256: graded for graded in store.done if not graded.same_as}
    digests = {entry.name: _digest(plan, entry) for entry in entries}
    found = {
        entry.name: kept[entry.name]
        for entry in entries
        if entry.name in kept and kept[entry.name].sha256 == digests[entry.name]
    }
    judged = 0

    def add(graded: Graded) -> None:
        store.append(graded)
        found[graded.name] = graded
        tell(Step(graded, len(found), len(entries), judged))

    first: dict[str, Entry] = {}
    for entry in entries:
        if entry.name not in found and digests[entry.name] not in by_digest:
            first.setdefault(digests[entry.name], entry)
    waiting = tuple(first.values())
    jobs = [_job(plan, entry) for entry in waiting if not entry.refusal]
    judgeable = [entry for entry in waiting if not entry.refusal]
    for entry in waiting:
        if entry.refusal:
            refused = job.result(job.refused(entry.refusal, _job(plan, entry)), 0.0)
            by_digest[digests[entry.name]] = _graded(plan, entry, digests[entry.name], refused)
            add(by_digest[digests[entry.name]])
    with run(jobs) as results:
        for index, result in results:
            entry = judgeable[index]
            judged += 1
            by_digest[digests[entry.name]] = _graded(plan, entry, digests[entry.name], result)
            add(by_digest[digests[entry.name]])
    for entry in entries:
        if entry.name not in found:
            other = by_digest[digests[entry.name]]
            same = replace(other, name=entry.name, submission=entry.submission, seconds=0.0)
            add(replace(same, same_as=other.name))
    return grading(plan, store, tuple(found[one.name] for one in entries), started)


def grading(plan: Plan, store: Store, results: tuple[Graded, ...], started: float) -> Grading:
    """The whole, in name order."""
    return Grading(
        problem=plan.spec.slug,
        folder=str(plan.folder),
        backend=plan.backend,
        seed=plan.seed,
        started=store.started,
        seconds=round(time.perf_counter() - started, 3),
        device=plan.device,
        results=results,
    )


def _job(plan: Plan, entry: Entry) -> Job:
    path = str(entry.path or plan.folder / entry.submission)
    problem = str(plan.spec.path.parent)
    return Job(path, problem, plan.backend, plan.seed, plan.defines, plan.timed)


def _digest(plan: Plan, entry: Entry) -> str:
    how = f"{decides(plan.spec)}\n{plan.backend}\n{plan.seed}\n{plan.defines}"
    if entry.path is None:
        return hashlib.sha256(f"{how}\n{entry.name!r}\n{entry.refusal}".encode()).hexdigest()
    return job.digest(entry.path, how)


def _graded(plan: Plan, entry: Entry, digest: str, result: Result) -> Graded:
    tests = scoring.score(plan.spec, result["report"])
    return Graded(
        name=entry.name,
        submission=entry.submission,
        sha256=digest,
        report=result["report"],
        tests=tests,
        score=round(sum(test.points for test in tests), 2),
        max_score=round(sum(test.max_points for test in tests), 2),
        seconds=result["seconds"],
        screen=result["screen"],
    )
