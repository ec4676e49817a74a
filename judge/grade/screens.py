"""What a grading shows on a terminal: how far it is, then a table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TextIO

from rich.table import Table
from rich.text import Text

from judge import paths
from judge.counted import counted
from judge.grade.conduct import Step
from judge.grade.leaderboard import Row
from judge.grade.model import Graded, Grading
from judge.model import Spec, Verdict
from judge.printable import printable
from judge.report import COLOURS, Screen, draw

MOST_ROWS = 25
MOST_SLOW = 3
Tell = Callable[[Step], None]


@contextmanager
def progress(stream: TextIO, total: int, before: int) -> Iterator[Tell]:
    """A bar with the rate and what is left on a terminal, a line a submission where there is none.

    total: how many there are;  before: graded by an earlier run, the rate is of this one
    """
    if before:
        print(f"going on: {before} graded before", file=stream, flush=True)
    if not stream.isatty():
        yield lambda step: print(line(step), file=stream, flush=True)
        return
    from rich import progress as bars
    from rich.console import Console
    from rich.markup import escape

    bar = bars.Progress(
        bars.TextColumn("grade "),
        bars.BarColumn(bar_width=24),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.fields[rate]}"),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.description}"),
        console=Console(file=stream, highlight=False, emoji=False),
        transient=True,
    )
    started = time.monotonic()
    with bar:
        task = bar.add_task("", total=total, completed=before, rate="")

        def tell(step: Step) -> None:
            seconds = max(time.monotonic() - started, 1e-9)
            rate = f"{60 * step.judged / seconds:.3g} a minute"
            name = escape(printable(f"{step.graded.verdict} {step.graded.name}", 50))
            bar.update(task, completed=step.done, description=name, rate=rate)

        yield tell


def line(step: Step) -> str:
    """`12/300  WA mismatch  anna.cu  1.2 s`"""
    graded = step.graded
    fault = graded.report["fault"]
    verdict = f"{graded.verdict} {fault['reason'] if fault else 'accepted'}"
    same = f"  same as {printable(graded.same_as, 60)}" if graded.same_as else ""
    name = printable(graded.name, 80)
    return f"{step.done}/{step.total}  {verdict}  {name}  {graded.seconds:.1f} s{same}"


def table(grading: Grading, written: Sequence[Path], screen: Screen) -> str:
    """Counts, what is not accepted, what took longest, and where the files are.

    written: files and folders of one folder, at least one
    """
    results = grading.results
    counts = Counter(graded.verdict for graded in results)
    text = Text(
        f"{printable(grading.problem)}  {counted(len(results), 'submission')}  {grading.backend}\n"
    )
    for verdict in Verdict:
        if counts[verdict.value]:
            text.append(f"  {verdict.value:<4}", COLOURS[verdict])
            text.append(f"{counts[verdict.value]:>5}\n")
    wrong = [graded for graded in results if graded.verdict != "AC"]
    shown = draw(text, screen)
    if wrong:
        shown += draw(_rows(wrong[:MOST_ROWS]), screen)
    if len(wrong) > MOST_ROWS:
        shown += f"  ... and {len(wrong) - MOST_ROWS} more not accepted\n"
    judged = sorted((one for one in results if one.seconds), key=lambda one: -one.seconds)
    total = sum(graded.seconds for graded in judged)
    names = [f"{path.name}/" if path.is_dir() else path.name for path in written]
    lines = [
        f"  took     {grading.seconds:.1f} s"
        + (f", {total / len(judged):.2f} s a submission" if judged else "")
        + "".join(f"; {printable(one.name, 40)} {one.seconds:.1f} s" for one in judged[:MOST_SLOW]),
        f"  device   {printable(grading.device)}",
        f"  seed     {printable(grading.seed)}",
        f"  files    {printable(paths.shown(written[0].parent))}: {' '.join(names)}",
    ]
    return shown + "".join(draw(Text(one), screen) for one in lines)


def _rows(results: Sequence[Graded]) -> Table:
    rows = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for heading in ("  submission", "verdict", "points", "why"):
        rows.add_column(heading, overflow="fold", no_wrap=heading == "verdict")
    for graded in results:
        fault = graded.report["fault"] or {"reason": "", "message": ""}
        verdict = Text(f"{graded.verdict} {fault['reason']}")
        verdict.stylize(COLOURS[Verdict(graded.verdict)])
        points = f"{graded.score:g} / {graded.max_score:g}"
        cells = (f"  {printable(graded.name, 60)}", points, printable(fault["message"], 120))
        rows.add_row(Text(cells[0]), verdict, Text(cells[1]), Text(cells[2]))
    return rows


def leaderboard(spec: Spec, rows: Sequence[Row], screen: Screen) -> str:
    """For each device rank, time with its interval, and whose it is; what has no time comes last.

    The device is a heading and no column, so that names have the width of the screen.
    """
    shown = draw(Text(f"{spec.slug}: {counted(len(rows), 'accepted submission')}"), screen)
    timed = [row for row in rows if row.median_us is not None]
    for device in dict.fromkeys(row.device for row in timed):
        ranks = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for heading in ("rank", "us a call", "95 % interval", "submission"):
            justify: Literal["left", "right"] = "left" if heading == "submission" else "right"
            ranks.add_column(heading, justify=justify, overflow="fold")
        for row in timed:
            if row.device == device:
                interval = "" if row.low_us is None else f"{row.low_us:.4g} .. {row.high_us:.4g}"
                rank = "" if row.rank is None else f"{'=' if row.tied else ''}{row.rank}"
                name = printable(row.name, 60)
                ranks.add_row(*map(Text, (rank, f"{row.median_us:.4g}", interval, name)))
        shown += draw(Text(f"on {printable(device, 60)}"), screen) + draw(ranks, screen)
    untimed = [row for row in rows if row.median_us is None]
    if untimed:
        shown += "without rank: no time, or none to believe; the CPU backend measures none\n"
        shown += "".join(draw(Text(f"  {printable(row.name, 60)}"), screen) for row in untimed)
    if any(row.tied for row in rows):
        shown += "=: the intervals overlap, so that nobody of this rank is faster\n"
    if not rows:
        shown += "times come from accepted runs on a GPU; --results names a grading\n"
    return shown
