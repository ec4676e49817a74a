"""The ladder's table in README.md: made from the ledger alone, so that it can be checked anywhere.

It stands between two markers, <!-- ladder: SLUG --> and <!-- end of ladder -->.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge import caseids, speedreport
from judge.ledger import Line, Measured
from judge.model import Case, Spec, UserError, Verdict
from judge.rungs import Rung

END = "<!-- end of ladder -->"
NONE_YET = "No time is recorded yet: `make ladder` on a machine with a GPU records them."


@dataclass
class _Row:
    """What is known of a rung now: its text, and either times by case id or a verdict's line."""

    sha256: str
    times: dict[str, Line] = field(default_factory=dict)
    failed: Line | None = None


def begin(slug: str) -> str:
    """The marker before the table of a problem."""
    return f"<!-- ladder: {slug} -->"


def rewrite(path: Path, spec: Spec, table: str) -> None:
    """Put the table between the markers of the problem, in one step.

    Raises UserError where there are no such markers, or the file cannot be written.
    """
    text = path.read_text(encoding="utf-8")
    head, marker, rest = text.partition(begin(spec.slug))
    _, end, tail = rest.partition(END)
    if not marker or not end:
        raise UserError(
            f"{path}: no place for the table; expected the lines {begin(spec.slug)} and {END}"
        )
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(f"{head}{marker}\n{table}{end}{tail}", encoding="utf-8")
        half.replace(path)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        half.unlink(missing_ok=True)


def shown(path: Path, slug: str) -> str:
    """What stands between the markers now, an empty string without them."""
    rest = path.read_text(encoding="utf-8").partition(f"{begin(slug)}\n")[2]
    return rest.partition(END)[0]


def table(spec: Spec, recorded: Sequence[Line], ladder: Sequence[Rung]) -> str:
    """Markdown: the conditions, a row a rung, and below it why rungs failed.

    Of the device and case set of the last line only: times of other conditions do not stand side
    by side.
    """
    if not recorded:
        return NONE_YET + "\n"
    last = recorded[-1]
    used = [one for one in recorded if (one.device, one.case_set) == (last.device, last.case_set)]
    known = _rows(used)
    rows = [(rung, known[_key(rung)]) for rung in ladder if _key(rung) in known]
    timed = caseids.timed(spec)
    headline = _headline(spec, timed)
    vendor = next((row for rung, row in rows if rung.baseline and row.times), None)
    heads = ["rung", *(_size(case) for case in timed), f"TFLOP/s at {_size(headline)}"]
    if vendor is not None:
        heads.append(f"of {next(rung.source.stem for rung, row in rows if row is vendor)}")
    lines = [
        _conditions([row for _, row in rows]),
        "",
        f"| {' | '.join(heads)} |",
        "|---|" + "---:|" * (len(heads) - 1),
    ]
    for rung, row in rows:
        cells = [rung.name, *(_time(row, case) for case in timed), *_rates(row, vendor, headline)]
        lines.append(f"| {' | '.join(cells[: len(heads)])} |")
    return "\n".join([*lines, *_below(rows), ""])


def _key(rung: Rung) -> tuple[str, tuple[str, ...], bool]:
    return rung.source.name, rung.defines, rung.baseline


def _rows(recorded: Iterable[Line]) -> Mapping[tuple[str, tuple[str, ...], bool], _Row]:
    """The latest of each rung; what an earlier text or verdict of it gave is forgotten."""
    rows: dict[tuple[str, tuple[str, ...], bool], _Row] = {}
    for line in recorded:
        path = Path(line.submission)
        key = path.name, line.defines, path.parent.name == "baselines"
        row = rows.setdefault(key, _Row(line.sha256))
        if row.sha256 != line.sha256 or line.measured is None or row.failed is not None:
            row = rows[key] = _Row(line.sha256)
        if line.measured is None:
            row.failed = line
        else:
            row.times[line.case] = line
    return rows


def _headline(spec: Spec, timed: Sequence[Case]) -> Case:
    """The largest size of whole tiles, else the largest."""
    whole = [
        case
        for case in timed
        if all(n % tile == 0 for n in case.sizes.values() for tile in spec.tiles)
    ]
    return max(whole or timed, key=lambda case: max(case.sizes.values()))


def _size(case: Case) -> str:
    sizes = set(case.sizes.values())
    return str(sizes.pop()) if len(sizes) == 1 else speedreport.size(case.sizes)


def _measured(row: _Row, case: Case) -> Measured | None:
    """The time at a size, if there is one that is believed."""
    line = row.times.get(case.id)
    return line.measured if line and line.measured and not line.measured.doubt else None


def _time(row: _Row, case: Case) -> str:
    if row.failed is not None:
        return row.failed.verdict
    told = _measured(row, case)
    if told is None:
        return "not believed" if case.id in row.times else ""
    return f"{speedreport.microseconds(told.median_us)}{' (noisy)' if told.noisy else ''}"


def _rates(row: _Row, vendor: _Row | None, headline: Case) -> list[str]:
    told = _measured(row, headline)
    if told is None:
        return ["", ""]
    best = _measured(vendor, headline) if vendor is not None else None
    share = "" if best is None else f"{best.median_us / told.median_us:.2g}"
    return [speedreport.rate(told.tera_per_s), share]


def _conditions(rows: Sequence[_Row]) -> str:
    """The line above the table: where, when and how well these numbers were measured."""
    lines = [line for row in rows for line in (*row.times.values(), row.failed) if line is not None]
    told = [line.measured for line in lines if line.measured is not None]
    days = sorted({line.time[:10] for line in lines})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    drivers = " and ".join(sorted({line.driver for line in lines if line.driver})) or "unknown"
    cudas = " and ".join(sorted({line.cuda for line in lines}))
    noise = max((one.noise for one in told), default=0.0)
    return (
        f"{lines[0].device}, driver {drivers}, CUDA {cudas}, {when}, case set "
        f"{lines[0].case_set[:12]}. Microseconds a call, median with a cold L2 cache; noise "
        f"(standard deviation / mean) at most {speedreport.percent(noise)}."
    )


def _below(rows: Sequence[tuple[Rung, _Row]]) -> Iterator[str]:
    failed = [(rung, row.failed) for rung, row in rows if row.failed is not None]
    if failed:
        yield ""
    for rung, line in failed:
        assert line.verdict != Verdict.AC.value
        yield f"{rung.name}: {line.verdict} `{line.reason}`: {line.why}."
