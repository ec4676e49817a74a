"""One submission of a grading, judged: what a worker process or a machine of a cluster does.

In goes a Job, out comes the report as JSON, the screen as text, and the seconds it took.  Whatever
breaks ends in a report with verdict JE, never in an exception.
"""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from judge import broken, isolation, jsonl, report, run, source, spec
from judge.model import BackendMissing, Fault, Reason, Report, Request, UserError, Verdict

Result = dict[str, Any]
"""{"report": of the schema, "screen": text, "seconds": wall clock}"""


@dataclass(frozen=True)
class Job:
    """What to judge, by plain values that any process can be sent.

    folder:    absolute; what its report says of files is below it, so that it can be handed out
    path:      of the submission, below the folder
    problem:   path of the problem's folder, absolute
    timed:     as of model.Request
    sandboxed: not to be run where the isolation of submissions is not complete
    """

    folder: str
    path: str
    problem: str
    backend: str
    seed: str
    defines: tuple[str, ...] = ()
    timed: int | None = 1
    sandboxed: bool = False


def judge(job: Job) -> Result:
    """Judge the submission of a job."""
    started = time.perf_counter()
    request = None
    here = os.getcwd()
    try:
        if job.sandboxed:
            isolation.require(isolation.offered())
        problem = spec.load(job.problem)
        os.chdir(job.folder)
        request = Request(
            source=Path(job.path),
            spec=problem,
            backend=job.backend,
            defines=job.defines,
            seed=job.seed,
            timed=job.timed,
        )
        done = run.judge(request, lambda progress: None)
    except BackendMissing as error:
        done = broken.report(error, request)
    except UserError as error:  # of the file, where the problem could be read
        done = refused(str(error), job) if request else broken.report(error, request)
    except Exception as error:
        done = broken.report(error, request)
    finally:
        os.chdir(here)
    if done.again:  # another's Python lies elsewhere
        done = replace(done, again=f"python -m judge {done.again.partition(' -m judge ')[2]}")
    return result(done, time.perf_counter() - started)


def refused(why: str, job: Job) -> Report:
    """The report of a file that is no submission: its author's fault, so CE."""
    return Report(
        problem=Path(job.problem).name,
        submission=Path(job.path),
        backend=job.backend,
        seed=job.seed,
        defines=job.defines,
        verdict=Verdict.CE,
        fault=Fault(Verdict.CE, Reason.NO_SUBMISSION, why),
    )


def lost(why: str, job: Job) -> Report:
    """The report of a judge that died or hung over a submission, and of nothing else."""
    fault = Fault(Verdict.JE, Reason.INTERNAL, f"the judge failed, not the submission: {why}")
    return Report(
        problem=Path(job.problem).name,
        submission=Path(job.path),
        backend=job.backend,
        seed=job.seed,
        defines=job.defines,
        verdict=Verdict.JE,
        fault=fault,
    )


def result(done: Report, seconds: float) -> Result:
    """A report as it travels and is kept."""
    screen = report.render(done, report.Screen())
    return {"report": jsonl.as_dict(done), "screen": screen, "seconds": round(seconds, 3)}


def digest(path: Path, decides: str) -> str:
    """sha256 over a submission with the headers beside it, and over all else that decides."""
    content = hashlib.sha256(f"{decides}\n".encode())
    try:
        text = source.read(path)
        content.update(text.encode())
        for header in source.local_headers(path, text):
            content.update(f"\n{header.name}\n{header.text}".encode("utf-8", "surrogateescape"))
    except UserError as error:  # not to be judged: what is wrong with it, and that it is this one
        content.update(f"\n{path}\n{error}".encode("utf-8", "surrogateescape"))
    return content.hexdigest()
