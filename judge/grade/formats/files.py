"""All formats of a grading, written into its folder.

results.csv, junit.xml, summary.md      the whole
annotations.txt                         the whole, as workflow commands of GitHub Actions
reports/NAME.txt                        for a student: what a terminal would show, and the points
gradescope/NAME.json                    for Gradescope
classroom/NAME.txt                      for GitHub Classroom: the value of the output `result`
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from judge import paths
from judge.grade.formats import actions, classroom, gradescope, junit, summary, table
from judge.grade.model import Graded, Grading
from judge.printable import printable, printable_lines

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,80}\Z", re.ASCII)


def write(grading: Grading, out: Path) -> tuple[Path, ...]:
    """Write them, each whole or not at all; the paths, the folders once.  Raises OSError."""
    whole = {
        "results.csv": table.render(grading),
        "junit.xml": junit.render(grading),
        "summary.md": summary.render(grading),
        "annotations.txt": actions.render(grading, paths.shown(Path(grading.folder))),
    }
    for name, data in whole.items():
        _write(out / name, data)
    folders = [out / name for name in ("reports", "gradescope", "classroom")]
    for folder in folders:
        folder.mkdir(exist_ok=True)
    for graded in grading.results:
        name = file_name(graded.name)
        _write(out / "reports" / f"{name}.txt", text(graded).encode())
        _write(out / "gradescope" / f"{name}.json", gradescope.render(graded))
        _write(out / "classroom" / f"{name}.txt", classroom.render(graded))
    return (*(out / name for name in whole), *folders)


def file_name(name: str) -> str:
    """A plain file name for a submission, unique where its own is not plain."""
    if _PLAIN.match(name):
        return name
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name, flags=re.ASCII).strip("._-")[:60] or "submission"
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{plain}-{digest}"


def text(graded: Graded) -> str:
    """What a student is given: the report and the points."""
    points = [
        f"  {test.points:>7g} / {test.max_points:<7g} {printable(test.name, 60)}"
        for test in graded.tests
    ]
    lines = printable_lines([graded.screen], 400)
    return "\n".join(
        (*lines, "", f"points   {graded.score:g} of {graded.max_score:g}", *points, "")
    )


def _write(path: Path, data: bytes) -> None:
    half = path.with_name(f".{path.name}.half")
    half.write_bytes(data)
    half.replace(path)
