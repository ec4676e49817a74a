"""How far a run has come: a bar on a terminal, one line a stage where there is none.

Goes to stderr, so that stdout holds the result alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from judge.counted import counted
from judge.model import Progress
from judge.printable import printable

Tell = Callable[[Progress], None]


@contextmanager
def shown(stream: TextIO) -> Iterator[Tell]:
    """A function to tell of progress; what it drew is gone when the block ends."""
    if stream.isatty():
        with _bar(stream) as tell:
            yield tell
    else:
        yield _lines(stream)


def _lines(stream: TextIO) -> Tell:
    """One line when a stage begins: enough for a log, and no more."""
    seen: set[str] = set()

    def tell(progress: Progress) -> None:
        if progress.stage in seen:
            return
        seen.add(progress.stage)
        what = (
            counted(progress.total, "case") if progress.stage == "run" else printable(progress.text)
        )
        print(f"{progress.stage}: {what}", file=stream, flush=True)

    return tell


@contextmanager
def _bar(stream: TextIO) -> Iterator[Tell]:
    # rich.progress costs a tenth of a second to import, which a pipe need not pay.
    from rich import progress as bars
    from rich.console import Console
    from rich.markup import escape

    bar = bars.Progress(
        bars.TextColumn("{task.fields[stage]:<6}"),
        bars.BarColumn(bar_width=24),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
        bars.TextColumn("{task.description}"),
        console=Console(file=stream, highlight=False, emoji=False),
        transient=True,
    )
    with bar:
        stage = ""
        task = bars.TaskID(0)

        def tell(progress: Progress) -> None:
            nonlocal stage, task
            if progress.stage != stage:
                # A bar of its own, since a bar never forgets the total it once had.
                if stage:
                    bar.remove_task(task)
                stage = progress.stage
                # A stage of one step has no length to show: the bar pulses until it is over.
                total = progress.total if progress.total > 1 else None
                task = bar.add_task("", stage=stage, total=total)
            what = escape(printable(progress.text, 60))
            bar.update(task, completed=progress.done, description=what)

        yield tell
