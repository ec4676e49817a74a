"""Gradescope's results.json for one submission.

Shape: Gradescope, "Autograder specifications".  Everything is text, never HTML or Markdown;
students see the tests, and of the run's own output nothing.
"""

from __future__ import annotations

import json
from typing import Any

from judge.grade.model import Graded, GradedTest
from judge.printable import printable_lines

MOST_LINES, MOST_BYTES = 200, 900_000


def results(graded: Graded) -> dict[str, Any]:
    """The object that /autograder/results/results.json holds."""
    content: dict[str, Any] = {
        "score": graded.score,
        "execution_time": round(graded.seconds, 3),
        "stdout_visibility": "hidden",
        "visibility": "visible",
        "output": _text(graded.screen),
        "output_format": "text",
        "tests": [_test(test) for test in graded.tests],
    }
    timed = (graded.report.get("speed") or {}).get("timed", ())
    if timed and graded.verdict == "AC":
        value = round(timed[0]["cold"]["median_us"], 3)
        content["leaderboard"] = [{"name": "time_us", "value": value, "order": "asc"}]
    return content


def render(graded: Graded) -> bytes:
    """The file."""
    data = json.dumps(results(graded), indent=1, allow_nan=False).encode("ascii")
    if len(data) <= MOST_BYTES:
        return data
    short = results(graded)
    short["output"] = "(too long to show)"
    return json.dumps(short, allow_nan=False).encode("ascii")


def _test(test: GradedTest) -> dict[str, Any]:
    return {
        "name": _text(test.name),
        "score": test.points,
        "max_score": test.max_points,
        "status": "passed" if test.verdict == "AC" else "failed",
        "output": _text(test.message),
        "output_format": "text",
        "visibility": "visible",
    }


def _text(text: str) -> str:
    return "\n".join(printable_lines([text], MOST_LINES))
