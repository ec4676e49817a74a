"""The result of one run in the formats of grading: for a student's own CI.

run tiled.cu --format junit=build/junit.xml --format annotations=-
"""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from judge import output
from judge.grade import job, scoring
from judge.grade.formats import actions, classroom, gradescope, junit, summary, table
from judge.grade.model import Graded, Grading
from judge.model import ExitCode, Report, Spec
from judge.printable import printable

_OF_THE_WHOLE: dict[str, Callable[[Grading], bytes]] = {
    "junit": junit.render,
    "csv": table.render,
    "summary": summary.render,
    "annotations": actions.render,
}
_OF_ONE: dict[str, Callable[[Graded], bytes]] = {
    "gradescope": gradescope.render,
    "classroom": classroom.render,
}


def grading(report: Report, spec: Spec) -> Grading:
    """A grading of one submission."""
    seconds = report.build_seconds + report.run_seconds
    result = job.result(report, seconds)
    tests = scoring.score(spec, result["report"])
    graded = Graded(
        name=report.submission.name,
        submission=report.submission.as_posix(),
        sha256=job.digest(report.submission, ""),
        report=result["report"],
        tests=tests,
        score=round(sum(test.points for test in tests), 2),
        max_score=round(sum(test.max_points for test in tests), 2),
        seconds=round(seconds, 3),
        screen=result["screen"],
    )
    return Grading(
        problem=report.problem,
        folder=report.submission.parent.as_posix(),
        backend=report.backend,
        seed=report.seed,
        started=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        seconds=round(seconds, 3),
        device=report.device,
        results=(graded,),
    )


def write(report: Report, spec: Spec, wanted: Sequence[tuple[str, str]], code: int) -> int:
    """Write the formats; the exit code, which a file that cannot be written turns into a judge
    error.  A file gets its content in one step, a file of GitHub's (summary) is added to."""
    whole = grading(report, spec)
    for name, target in wanted:
        data = _OF_ONE[name](whole.results[0]) if name in _OF_ONE else _OF_THE_WHOLE[name](whole)
        if target == "-":
            text = data.decode()
            output.write(sys.stdout, lambda screen, text=text: text)
            continue
        try:
            _put(Path(target), data, append=target == os.environ.get("GITHUB_STEP_SUMMARY"))
        except OSError as error:
            line = f"judge: --format: {printable(target)}: cannot be written: {error.strerror}"
            code = output.complain(line, ExitCode.JUDGE_ERROR)
    return code


def _put(path: Path, data: bytes, append: bool) -> None:
    if append or (path.exists() and not path.is_file()):
        with path.open("ab") as file:
            file.write(data)
        return
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
