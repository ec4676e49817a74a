"""Who is fastest among the accepted: from gradings, or from the ledger and the runs made here.

Times are compared at the first timed size of one device; where two intervals overlap, nobody is
faster, and both have one rank.  A submission without a time is listed and has none.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from judge import caseids, history, ledger
from judge.grade import store
from judge.grade.formats.table import cell
from judge.model import Spec, UserError
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


def read(spec: Spec, folders: Sequence[Path], runs: Path | None = None) -> tuple[Row, ...]:
    """The accepted submissions of gradings, or, if none are named, of the problem's ledger and of
    the runs of this machine.

    runs: the history.  Raises UserError for a folder without results or of another problem.
    """
    if folders:
        return tuple(row for folder in folders for row in _graded(spec, folder))
    newest: dict[tuple[str, ...], tuple[str, Row]] = {}
    for when, row in (*_recorded(spec), *_own(spec, runs)):
        key = (row.name, row.device)
        if key not in newest or newest[key][0] <= when:
            newest[key] = (when, row)
    return tuple(row for _, row in newest.values() if row.median_us is not None)


def _recorded(spec: Spec) -> Iterator[tuple[str, Row]]:
    """When and what: of the ledger; without a time what is not accepted, or not believed."""
    size = caseids.timed(spec)[0].id if spec.timed else ""
    for line in ledger.read(ledger.path_of(spec.slug)):
        if line.case != size or line.case_set != ledger.case_set(spec):
            continue
        row = Row(" ".join((line.submission, *line.defines)), line.device)
        if line.measured and not line.measured.doubt:
            times = (line.measured.median_us, line.measured.low_us, line.measured.high_us)
            row = _timed(row, *times)
        yield line.time, row


def _own(spec: Spec, runs: Path | None) -> Iterator[tuple[str, Row]]:
    """When and what: of the runs on this machine's GPU."""
    size = dict(caseids.timed(spec)[0].sizes) if spec.timed else {}
    for run in history.read(runs):
        timed = run.get("timed")
        if run["problem"] == spec.slug and timed and timed["sizes"] == size:
            row = Row(" ".join((run["submission"], *run["defines"])), _card(run["device"]))
            yield run["time"], _timed(row, timed["median_us"], timed["low_us"], timed["high_us"])


def _timed(row: Row, median_us: float, low_us: float, high_us: float) -> Row:
    return replace(row, median_us=median_us, low_us=low_us, high_us=high_us)


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
    for graded in store.read_results(folder):
        if graded.verdict == "AC":
            timed = (graded.report.get("speed") or {}).get("timed", ())
            row = Row(graded.name, _card(str(graded.report["device"])))
            if timed and not timed[0]["doubt"]:
                cold = timed[0]["cold"]
                row = _timed(row, cold["median_us"], cold["low_us"], cold["high_us"])
            rows.append(row)
    return rows


def _card(device: str) -> str:
    """The name of a GPU, and of a CPU all that is said of it."""
    return ledger.device_name(device)
