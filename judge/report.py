"""A Report -> one screen for people: the verdict, where and why, and the command that repeats it.

In comes a Report, out goes text; nothing is printed here.  Whatever a submission, a compiler or a
file name brought along is shown as plain characters: no markup, no control bytes.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from judge import paths, speedreport
from judge.model import CaseResult, Check, Report, Verdict
from judge.printable import printable, printable_lines

COLOURS = {
    Verdict.AC: "bold black on green",
    Verdict.WA: "bold white on red",
    Verdict.RE: "bold white on magenta",
    Verdict.TLE: "bold black on yellow",
    Verdict.MLE: "bold black on yellow",
    Verdict.CE: "bold white on red",
    Verdict.JE: "bold white on blue",
}
LABEL = 7  # the longest label: pattern, warning, printed
MOST_DETAILS = 20
MOST_PRINTED = 6
MOST_WARNINGS = 3
_PLAIN_WIDTH = 100_000  # wide enough never to wrap: a pipe, a file, grep


@dataclass(frozen=True)
class Screen:
    """What the text is for: columns (0: do not wrap) and whether escape codes are welcome."""

    columns: int = 0
    colour: bool = False


def screen_of(stream: TextIO) -> Screen:
    """The screen behind a stream.  NO_COLOR and TERM=dumb give plain text, wrapped."""
    if not stream.isatty():
        return Screen()
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(stream.fileno()).columns)
    except (OSError, ValueError):
        columns = 80
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", "unknown", None)
    return Screen(columns=max(columns, 20), colour=not plain)


def render(report: Report, screen: Screen) -> str:
    """The whole screen, ending in a newline."""
    head = Text.assemble(
        (f" {report.verdict.value} " if screen.colour else report.verdict.value, _style(report)),
        "  ",
        (report.fault.reason.value if report.fault else "accepted", "bold"),
        f"  {printable(report.problem)}  {printable(paths.shown(report.submission))}",
        f"  {report.backend}",
        *(f" -D {printable(define)}" for define in report.defines),
    )
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, min_width=LABEL)
    grid.add_column(overflow="fold")
    for label, line in _rows(report):
        grid.add_row(Text(label, style="dim"), line)
    again = (
        f"  {'again':<{LABEL + 2}}{printable(report.again, most=10_000)}" if report.again else ""
    )
    return draw(head, screen) + _indented(grid, screen) + (again + "\n" if again else "")


def draw(what: Text | Table, screen: Screen) -> str:
    """Something of rich's as text, without trailing spaces."""
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        width=screen.columns or _PLAIN_WIDTH,
        force_terminal=screen.colour,
        color_system="auto" if screen.colour else None,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )
    console.print(what)
    return "".join(f"{line.rstrip()}\n" for line in buffer.getvalue().split("\n")[:-1])


def _indented(grid: Table, screen: Screen) -> str:
    narrow = Screen(max(screen.columns - 2, 18) if screen.columns else 0, screen.colour)
    return "".join(f"  {line}\n" for line in draw(grid, narrow).splitlines())


def _style(report: Report) -> str:
    return COLOURS[report.verdict]


def _rows(report: Report) -> Iterable[tuple[str, Text]]:
    """Label and line, most telling first."""
    failing = report.failing
    if report.fault is not None:
        place = f"{report.fault.place}: " if report.fault.place else ""
        yield "why", Text(printable(paths.shortened(place + report.fault.message)), style="bold")
        for line in printable_lines(map(paths.shortened, report.fault.details), MOST_DETAILS):
            yield "", Text(line)
    if failing is not None:
        worst = _worst(failing.check)
        if worst and not _said(worst, report):
            yield "worst", Text(worst)
        why = f"  ({printable(failing.case.why)})" if failing.case.why else ""
        yield "case", Text(printable(failing.case.id) + why)
    # What was printed in the case shown; with an accepted run, in the first case that printed.
    printing = failing or next((result for result in report.results if result.printed), None)
    printed = printable_lines([printing.printed], MOST_PRINTED) if printing else []
    yield from ((label, Text(line)) for label, line in speedreport.labelled("printed", printed))
    yield from ((label, Text(line)) for label, line in _labelled("pattern", report.pattern))
    if report.planned:
        yield "cases", Text(_counts(report))
    begun = [f"{name}: {init}" for name, init in report.init.items() if init != "poison"]
    if begun:
        yield "init", Text(f"{', '.join(begun)} before each call")
    usage = _highest_usage(report.results)
    if usage and report.fault is None:
        yield "usage", Text(usage)
    if report.speed is not None:
        yield from ((label, Text(line)) for label, line in speedreport.lines(report.speed))
    for label, line in _labelled("note", report.notes):
        yield label, Text(line)
    if report.build is not None:
        for label, line in _labelled("warning", report.build.warnings[:MOST_WARNINGS]):
            yield label, Text(line)
    if report.log_path is not None:
        yield "log", Text(printable(paths.shown(report.log_path)))
    yield "took", Text(_took(report))
    if report.device:
        yield "device", Text(printable(report.device))
    yield "seed", Text(printable(report.seed))


def _counts(report: Report) -> str:
    """How many cases were accepted, and how the others failed."""
    text = f"{report.passed} of {report.planned} accepted"
    kinds = Counter(
        f"{result.fault.verdict.value} {result.fault.reason.value}"
        for result in report.results
        if result.fault is not None
    )
    if kinds:
        text += "; " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    left = report.planned - len(report.results)
    return f"{text}; {left} not run" if left else text


def _highest_usage(results: Sequence[CaseResult]) -> str:
    """The accepted case that came nearest to its limit."""
    checked = [(r.check.usage, r.case.id) for r in results if r.check is not None]
    if not checked:
        return ""
    usage, case = max(checked)
    return f"at most {usage:.2g} of the allowed error, in {printable(case)}"


def _worst(check: Check | None) -> str:
    """The worst element in one line: where, got, expected, by how much."""
    if check is None or check.worst is None:
        return ""
    worst = check.worst
    index = ", ".join(map(str, worst.index))
    return (
        f"{printable(worst.output)}[{index}]: got {worst.got:.6g}, expected {worst.expected:.6g}, "
        f"error {worst.error:.3g}, allowed {worst.allowed:.3g}, usage {worst.usage:.4g}"
    )


def _said(worst: str, report: Report) -> bool:
    """Whether the fault's own lines name the worst element already."""
    element = worst.split(":")[0]
    fault = report.fault
    return fault is not None and any(element in line for line in (fault.message, *fault.details))


def _took(report: Report) -> str:
    built = ""
    if report.build is not None:
        cached = ", cached" if report.build.cached else ""
        built = f" ({printable(report.build.compiler)}{cached})"
    ran = f", run {report.run_seconds:.1f} s" if report.results else ""
    return f"build {report.build_seconds:.1f} s{built}{ran}"


def _labelled(label: str, texts: Iterable[str]) -> Iterable[tuple[str, str]]:
    """The label beside the first line, nothing beside the others."""
    return speedreport.labelled(label, (printable(paths.shortened(text)) for text in texts))
