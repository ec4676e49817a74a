"""CSV: one row a submission, for a spreadsheet.

A cell that a spreadsheet would take for a formula begins with an apostrophe; control characters are
shown as escapes.
"""

from __future__ import annotations

import csv
import io

from judge.grade.model import Grading
from judge.printable import printable

COLUMNS = (
    "name", "submission", "verdict", "reason", "score", "max_score", "accepted", "planned",
    "time_us", "seconds", "same_as", "message",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(text: str) -> str:
    """Text that is shown as it is and never computed."""
    shown = printable(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def render(grading: Grading) -> bytes:
    """The table with a header, UTF-8, CRLF as RFC 4180 says."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for graded in grading.results:
        report = graded.report
        fault, timed = report["fault"], (report.get("speed") or {}).get("timed", ())
        writer.writerow(
            (
                cell(graded.name),
                cell(graded.submission),
                graded.verdict,
                fault["reason"] if fault else "accepted",
                f"{graded.score:g}",
                f"{graded.max_score:g}",
                report["cases"]["accepted"],
                report["cases"]["planned"],
                f"{timed[0]['cold']['median_us']:.6g}" if timed else "",
                f"{graded.seconds:.3f}",
                cell(graded.same_as),
                cell(fault["message"]) if fault else "",
            )
        )
    return text.getvalue().encode()
