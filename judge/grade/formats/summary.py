"""Markdown for $GITHUB_STEP_SUMMARY or a mail: counts, and a row a submission.

Text from submissions stands in table cells, with everything escaped that Markdown or HTML would
act upon; at most 1 MiB, what is beyond is counted.
"""

from __future__ import annotations

import html
import re
from collections import Counter

from judge.counted import counted
from judge.grade.model import Graded, Grading
from judge.printable import printable

MOST_BYTES = 1_000_000
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~@:/])")


def cell(text: str, most: int = 200) -> str:
    """Text in a table cell: no markup, no link, no mention."""
    shown = html.escape(printable(text, most), quote=True)
    parts = re.split(r"(&[#\w]+;)", shown)
    return "".join(
        part if part.startswith("&") and part.endswith(";") else _MARKDOWN.sub(r"\\\1", part)
        for part in parts
    )


def render(grading: Grading) -> bytes:
    """The document, UTF-8."""
    counts = Counter(graded.verdict for graded in grading.results)
    said = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items()))
    lines = [
        f"## {cell(grading.problem)}: {said or 'nothing'}",
        "",
        f"{counted(len(grading.results), 'submission')}, backend {cell(grading.backend)}, "
        f"seed {cell(grading.seed)}, {grading.seconds:.0f} s.",
        "",
        "| submission | verdict | points | why |",
        "|---|---|---:|---|",
    ]
    size = sum(len(line) + 1 for line in lines)
    for number, graded in enumerate(grading.results):
        row = _row(graded)
        size += len(row.encode()) + 1
        if size > MOST_BYTES:
            lines += ["", f"... and {len(grading.results) - number} more"]
            break
        lines.append(row)
    return ("\n".join(lines) + "\n").encode()


def _row(graded: Graded) -> str:
    fault = graded.report["fault"]
    why = cell(fault["message"]) if fault else ""
    if fault and fault["place"]:
        why = f"{cell(fault['place']['file'], 80)} line {fault['place']['line']}: {why}"
    reason = cell(fault["reason"]) if fault else "accepted"
    points = f"{graded.score:g} / {graded.max_score:g}"
    return f"| {cell(graded.name)} | {graded.verdict} {reason} | {points} | {why} |"
