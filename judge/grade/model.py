"""The vocabulary of grading: what one submission earned, and from which every format is made.

`conduct` makes a Graded for each submission of a folder, `store` keeps one a line, and each module
of `formats` turns a Grading into bytes.  Names, messages and output in it come from
submissions: text without trust, which every format escapes in its own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

VERSION = 1


@dataclass(frozen=True)
class GradedTest:
    """One group of cases of one submission, as a grader shows it: a row with points.

    name:     the group: an input family, or `compiles`, or the time at a size
    verdict:  AC, or the verdict of the group's first case that is not accepted
    reason:   machine-readable, as in the report
    message:  for people; one line or several
    file, line: where it went wrong, "" and 0 where nothing says so
    """

    name: str
    verdict: str
    reason: str
    message: str
    points: float
    max_points: float
    seconds: float = 0.0
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class Graded:
    """One submission, graded.

    name:       student folder or file as it lies in the graded folder; unique there
    submission: path of the .cu file below the graded folder, POSIX separators
    sha256:     of the source, the problem and all that decides the verdict: the key by which the
                same file is judged once and a resumed run finds what it has
    report:     the report of the run, as of judge/schemas/report.schema.json
    score:      sum of the points of `tests`, of at most max_score
    same_as:    name of the submission whose result this is, or ""
    seconds:    wall clock of judging it, 0 where same_as
    screen:     what a terminal would show of the report: lines of printable characters
    """

    name: str
    submission: str
    sha256: str
    report: Mapping[str, Any]
    tests: tuple[GradedTest, ...]
    score: float
    max_score: float
    same_as: str = ""
    seconds: float = 0.0
    screen: str = ""

    @property
    def verdict(self) -> str:
        """The verdict of the report."""
        return str(self.report["verdict"])


@dataclass(frozen=True)
class Grading:
    """A whole folder, graded: results in name order.

    started: ISO 8601 with zone;  seconds: wall clock of the whole;  device: where it ran
    """

    problem: str
    folder: str
    backend: str
    seed: str
    started: str
    seconds: float
    device: str
    results: tuple[Graded, ...]
