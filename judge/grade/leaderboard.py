"""Who is fastest among the accepted: from gradings and from the ledger of a problem.

Times are compared at the first timed size of one device; where two intervals overlap, nobody is
faster, and both have one rank.  A submission without a time is listed and has none.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from judge import caseids, ledger
from judge.grade import lines, store
from judge.grade.formats.table import cell
from judge.model import Spec, UserError, Verdict
from judge.printable import printable


@dataclass(frozen=True)
class Row:
    """One submission on the board.  tied: it shares its rank; times in microseconds"""

    name: str
    device: str
    median_us: float | None = None
    low_us: float | None = None
    high_us: float | None = None
    rank: int | None = None
    tied: bool = False

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def read(spec: Spec, folders: Sequence[Path]) -> tuple[Row, ...]:
    """The accepted submissions of gradings, or, if none are named, of the problem's ledger.

    Raises UserError for a folder without results or of another problem.
    """
    if folders:
        return tuple(row for folder in folders for row in _graded(spec, folder))
    size = caseids.timed(spec)[0].id if spec.timed else ""
    newest = {
        (line.submission, line.defines, line.device): line
        for line in ledger.read(ledger.path_of(spec.slug))
        if line.case == size and line.case_set == ledger.case_set(spec)
    }
    return tuple(
        Row(
            name=" ".join((line.submission, *line.defines)),
            device=line.device,
            median_us=line.measured.median_us,
            low_us=line.measured.low_us,
            high_us=line.measured.high_us,
        )
        for line in newest.values()
        if line.verdict == Verdict.AC.value and line.measured and not line.measured.doubt
    )


def rank(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Ranks within each device, the fastest first: a rank ends where an interval begins behind it.

    A run of overlapping intervals is one rank only as far as each overlaps the first of the run, so
    that a chain of neighbours does not make the fastest as slow as the slowest.
    """
    found: list[Row] = []
    timed = [row for row in rows if row.median_us is not None]
    untimed = [row for row in rows if row.median_us is None]
    for device in dict.fromkeys(row.device for row in timed):
        mine = sorted(
            (row for row in timed if row.device == device), key=lambda row: row.median_us or 0.0
        )
        groups: list[list[Row]] = []
        for row in mine:
            if groups and (row.low_us or 0.0) <= (groups[-1][0].high_us or 0.0):
                groups[-1].append(row)
            else:
                groups.append([row])
        number = 1
        for group in groups:
            found += [replace(row, rank=number, tied=len(group) > 1) for row in group]
            number += len(group)
    return (*found, *sorted(untimed, key=lambda row: row.name))


def csv_text(rows: Sequence[Row]) -> str:
    """The board as CSV."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["rank", "tied", "median_us", "low_us", "high_us", "name", "device"])
    for row in rows:
        numbers = (row.median_us, row.low_us, row.high_us)
        shown = ["" if one is None else f"{one:.6g}" for one in numbers]
        names = [cell(row.name), cell(row.device)]
        writer.writerow([row.rank or "", int(row.tied), *shown, *names])
    return text.getvalue()


def _graded(spec: Spec, folder: Path) -> list[Row]:
    header = store.read_header(folder)
    where = printable(str(folder))
    if header is None:
        raise UserError(f"--results: {where}: no grading there; name a folder that `grade` wrote")
    if header.problem != spec.slug:
        raise UserError(f"--results: {where}: is of {header.problem}, expected {spec.slug}")
    rows = []
    path = folder / store.RESULTS
    for line in path.read_text(encoding="ascii").splitlines():
        try:
            graded = lines.load(line)
        except ValueError:  # the judge was killed while it wrote the last one
            continue
        if graded.verdict != "AC":
            continue
        timed = (graded.report.get("speed") or {}).get("timed", ())
        cold = timed[0]["cold"] if timed and not timed[0]["doubt"] else None
        row = Row(graded.name, str(graded.report["device"]))
        if cold:
            row = replace(
                row, median_us=cold["median_us"], low_us=cold["low_us"], high_us=cold["high_us"]
            )
        rows.append(row)
    return rows
