"""The tables of the commands beside `run`: cases, sweeps and the doctor's findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from judge import cases as planning
from judge import paths, speedreport
from judge import sweep as sweeping
from judge.counted import counted
from judge.gauge import GaugeRow
from judge.model import Case, Report, Spec
from judge.pieces import Finding, Level
from judge.printable import printable
from judge.report import COLOURS, Screen, draw
from judge.versus import Versus

_LEVELS = {
    Level.PASS: "green",
    Level.CAUTION: "yellow",
    Level.FAIL: "bold red",
}


def cases(spec: Spec, planned: Sequence[Case], seed: str, screen: Screen) -> str:
    """One row a case.  The id comes first and is whole, so that it can be copied."""
    with_scalars = any(case.scalars for case in planned)
    names = [axis.name for axis in spec.axes]
    table = _table("id", "family", *names, *["scalars"] * with_scalars, "operations", "why")
    for case in planned:
        scalars = " ".join(f"{name}={value:g}" for name, value in case.scalars.items())
        sizes = [str(case.sizes[name]) for name in names]
        work = f"{planning.work(spec, case):.2g}"
        row = [case.id, case.family, *sizes, *[scalars] * with_scalars, work, case.why]
        table.add_row(*(Text(printable(cell)) for cell in row))
    total = sum(planning.work(spec, case) for case in planned)
    summary = f"{counted(len(planned), 'case')}, {total:.2g} operations, seed {printable(seed)}"
    below = (
        "family: how the inputs are filled; operations: of one call; one case alone: "
        "make judge SUB=FILE CASE=ID"
    )
    return (
        draw(Text(f"{spec.slug}: {summary}"), screen)
        + draw(table, screen)
        + draw(Text(below), screen)
    )


def gauge(spec: Spec, rows: Sequence[GaugeRow], wrong: Sequence[str], screen: Screen) -> str:
    """One row an output made on purpose, over all cases; below it what is wrong with the spec.

    Accepted, refused and the cases that show nothing add up to the cases.
    """
    total = len({row.case.id for row in rows})
    several = len(spec.outputs) > 1
    named = ["output"] if several else []
    headings = ("must be", "accepted", "refused", "shows nothing", "error / allowed")
    table = _table(*named, "made on purpose", *headings)
    for output, name, go in dict.fromkeys((row.output, row.name, row.go) for row in rows):
        alike = [row for row in rows if (row.output, row.name, row.go) == (output, name, go)]
        tried = [row for row in alike if row.applicable]
        accepted = sum(row.accepted for row in tried)
        usages = [row.usage for row in tried]
        least, most = (f"{min(usages):.2g}", f"{max(usages):.2g}") if usages else ("", "")
        spread = least if least == most else f"{least} to {most}"
        counts = (accepted, len(tried) - accepted, total - len(tried))
        must = "accepted" if go else "refused"
        if any(row.precision or row.named for row in alike):
            must = "refused in some case"
        cells = [*([output] if several else []), name, must, *map(str, counts), spread]
        table.add_row(*(Text(printable(cell)) for cell in cells))
    head = f"{spec.slug}: outputs made right and wrong on purpose, in {counted(total, 'case')}"
    legend = [
        "shows nothing: cases in which it equals the right answer, or cannot be made",
        "error / allowed: of the worst element, in the best and the worst case; accepted up to 1",
    ]
    said = wrong or ["good: what must be accepted is, and what must be refused is"]
    below = "".join(draw(Text(printable(line)), screen) for line in (*legend, *said))
    return draw(Text(head), screen) + draw(table, screen) + below


def problems(rows: Sequence[tuple[str, ...]], screen: Screen) -> str:
    """One row a problem: slug, title, submissions, what is computed."""
    table = _table("problem", "title", "submissions", "computes")
    for row in rows:
        table.add_row(*map(Text, row))
    return draw(table, screen)


def sweep(reports: Sequence[Report], planned: int, screen: Screen) -> str:
    """The seed that all have; one row a combination of -D values; how many were not judged."""
    first = reports[0]
    timed = any(report.speed is not None for report in reports)
    table = _table(*sweeping.columns([first.defines], timed))
    verdict_column = len(first.defines)
    for report in reports:
        row = [Text(cell) for cell in sweeping.cells(report, timed)]
        row[verdict_column].stylize(COLOURS[report.verdict])
        table.add_row(*row)
    named = map(printable, (first.problem, first.submission.name, first.backend))
    head = Text(f"{'  '.join(named)}  --seed {printable(first.seed)}")
    left = planned - len(reports)
    tail = (
        draw(Text(f"{left} of {counted(planned, 'combination')} not judged"), screen)
        if left
        else ""
    )
    return draw(head, screen) + draw(table, screen) + tail


def versus(
    found: Versus, sources: Sequence[Path], spec: Spec, sizes: Mapping[str, int], screen: Screen
) -> str:
    """The word first, then the ratio with its interval and both medians."""
    word = {"FASTER": "faster than", "SLOWER": "slower than", "SAME": "as fast as"}
    says = word.get(found.ratio.word, "not told apart from")
    names = [printable(source.name, 60) for source in sources]
    ratio = found.ratio
    lines = [
        f"{ratio.word}  {names[1]} is {says} {names[0]}  {spec.slug}  {speedreport.size(sizes)}",
        f"  ratio    {ratio.ratio:.4g}, 95 % interval {ratio.low:.4g} to {ratio.high:.4g}: "
        f"B / A in {counted(ratio.pairs, 'round')} A B B A",
    ]
    for label, source, us in zip("AB", sources, (found.a_us, found.b_us), strict=True):
        lines.append(
            f"  {label}        {speedreport.microseconds(us)} us  {printable(paths.shown(source))}"
        )
    lines.append(f"  method   {found.method}, L2 cache flushed; same within 1 %")
    lines += [f"  doubt    not believed: {printable(one)}" for one in found.doubts]
    return "".join(draw(Text(line), screen) for line in lines)


def finding(found: Finding, screen: Screen) -> str:
    """A line for what was found; below it what is missed, and how to get it."""
    lines = [
        Text.assemble(
            (f"{found.level.value:<8}", _LEVELS[found.level]),
            f"{found.name:<11}",
            printable(found.found),
        )
    ]
    if found.level is not Level.PASS:
        lines += [Text(f"{'':<19}{line}") for line in _advice(found)]
    return "".join(draw(line, screen) for line in lines)


def _advice(found: Finding) -> Iterable[str]:
    if found.gives:
        yield f"would give: {found.gives}"
    if found.fix:
        yield f"fix: {found.fix}"


def _table(*headings: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading in ("id", "verdict", "reason"))
    return table
