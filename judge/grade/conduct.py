"""The conductor of a grading: a folder, a problem, a backend -> a Grading, result by result.

In comes a Plan, out goes a Grading; on the way each submission is judged once (the same file twice
has one result), stored as it comes, and told of.  A grading that is interrupted, or whose judge is
killed, goes on from its store.  Where the jobs run is `lanes` (this machine) or `cluster`.
"""

from __future__ import annotations

import datetime
import hashlib
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from judge import __version__, ledger
from judge.grade import copies, job, scoring
from judge.grade.collect import Entry
from judge.grade.job import Job, Result
from judge.grade.model import Graded, Grading
from judge.grade.store import Header, Store
from judge.model import Spec

Runner = Callable[[Sequence[Job]], AbstractContextManager[Iterator[tuple[int, Result]]]]
"""Jobs in, (index of the job, result) out, as they end; leaving the block ends what still runs."""


@dataclass(frozen=True)
class Plan:
    """What a grading is asked to do.  timed: as of model.Request;  sandboxed: as of Job"""

    folder: Path
    entries: tuple[Entry, ...]
    spec: Spec
    backend: str
    seed: str
    device: str
    defines: tuple[str, ...] = ()
    timed: int | None = 1
    sandboxed: bool = False

    @property
    def how(self) -> dict[str, str]:
        """All that decides a verdict or a time beside the submission, and must be as it was."""
        return {
            "problem": self.spec.slug,
            "backend": self.backend,
            "seed": self.seed,
            "defines": " ".join(map(shlex.quote, self.defines)),
            "timed": "all" if self.timed is None else str(self.timed),
            "decides": decides(self.spec),
        }


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
        folder=str(plan.folder),
        **plan.how,
        started=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
    )


def decides(spec: Spec) -> str:
    """sha256 over the problem, its cases and the judge: what a kept result must agree in."""
    return hashlib.sha256(f"{ledger.case_set(spec)}\n{__version__}".encode()).hexdigest()


def grade(plan: Plan, store: Store, run: Runner, tell: Tell) -> Grading:
    """Grade every entry that the store does not hold yet."""
    started = time.perf_counter()
    how = repr(plan.how)
    digests = {entry.name: _digest(how, entry) for entry in plan.entries}
    store.keep([one for one in store.done if _holds(one, digests)])
    found = {one.name: one for one in store.done if one.name in digests}
    done = {one.sha256: one for one in store.done if not one.same_as}
    groups: dict[str, list[Entry]] = {}
    for entry in plan.entries:
        if entry.name not in found:
            groups.setdefault(digests[entry.name], []).append(entry)
    judged = 0

    def add(graded: Graded, entries: Sequence[Entry]) -> None:
        """A result, for itself or for entries that are the same file."""
        for entry in entries:
            one = graded if entry.name == graded.name else copies.copy(graded, entry)
            store.append(one)
            found[one.name] = one
            tell(Step(one, len(found), len(plan.entries), judged))

    waiting = []
    for digest, group in groups.items():
        if digest in done:
            add(done[digest], group)
        elif group[0].refusal:
            refused = job.result(job.refused(group[0].refusal, _job(plan, group[0])), 0.0)
            add(_graded(plan, group[0], digest, refused), group)
        else:
            waiting.append((digest, group))
    with run([_job(plan, group[0]) for _, group in waiting]) as results:
        for index, result in results:
            digest, group = waiting[index]
            judged += 1
            add(_graded(plan, group[0], digest, result), group)
    return grading(plan, store, tuple(found[one.name] for one in plan.entries), started)


def _holds(graded: Graded, digests: Mapping[str, str]) -> bool:
    """Whether a result of an earlier run still says something: of this file, and not that we broke.

    One of a file that is gone is left as it is.
    """
    return graded.verdict != "JE" and digests.get(graded.name, graded.sha256) == graded.sha256


def grading(plan: Plan, store: Store, results: tuple[Graded, ...], started: float) -> Grading:
    """The whole, in name order."""
    return Grading(
        problem=plan.spec.slug,
        folder=str(plan.folder),
        backend=plan.backend,
        seed=plan.seed,
        started=store.header.started,
        seconds=round(time.perf_counter() - started, 3),
        device=plan.device,
        results=results,
    )


def _job(plan: Plan, entry: Entry) -> Job:
    return Job(
        folder=str(plan.folder.absolute()),
        path=entry.submission,
        problem=str(plan.spec.path.parent.absolute()),
        backend=plan.backend,
        seed=plan.seed,
        defines=plan.defines,
        timed=plan.timed,
        sandboxed=plan.sandboxed,
    )


def _digest(how: str, entry: Entry) -> str:
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
