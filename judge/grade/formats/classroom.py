"""The step output that GitHub Classroom's reporter reads, for one submission.

Shape: `result=` and base64 of JSON, version 1, as of classroom-resources/
autograding-grading-reporter.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from judge.grade.model import Graded, GradedTest
from judge.printable import printable_lines

MOST_LINES = 60


def result(graded: Graded) -> dict[str, Any]:
    """What the reporter decodes."""
    broken = graded.verdict in ("CE", "JE")
    passed = graded.verdict == "AC"
    return {
        "version": 1,
        "status": "pass" if passed else "error" if broken else "fail",
        "max_score": graded.max_score,
        "tests": [_test(test) for test in graded.tests],
    }


def render(graded: Graded) -> bytes:
    """The value of the output: base64 on one line, so that nothing in it can end it."""
    return base64.b64encode(json.dumps(result(graded), allow_nan=False).encode("ascii"))


def _test(test: GradedTest) -> dict[str, Any]:
    status = {"AC": "pass", "CE": "error", "JE": "error"}.get(test.verdict, "fail")
    return {
        "name": _text(test.name),
        "status": status,
        "score": test.points,
        "message": _text(test.message),
        "filename": _text(test.file),
        "line_no": test.line,
        "execution_time": f"{test.seconds:.3f}s",
    }


def _text(text: str) -> str:
    return "\n".join(printable_lines([text], MOST_LINES))
