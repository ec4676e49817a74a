"""One submission under several -D values: every combination judged, one row each.

python -m judge sweep tiled.cu -D TILE=8,16,32,64 -D UNROLL=1,4
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from judge import paths, speedreport
from judge.model import ExitCode, Report, UserError, Verdict
from judge.printable import printable

MOST_COMBINATIONS = 64


def combinations(lists: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Every combination of `NAME=V1,V2,...`, the last name varying fastest, as -D values.

    Raises UserError for a list without values, a name given twice, or too many combinations.
    """
    choices: dict[str, list[str]] = {}
    for text in lists:
        name, _, values = text.partition("=")
        if name in choices:
            raise UserError(f"-D {printable(name)}: given twice; join the values with commas")
        # A value given twice would be judged twice and say the same.
        choices[name] = list(dict.fromkeys(value.strip() for value in values.split(",")))
        if "" in choices[name]:
            raise UserError(
                f"-D {printable(text)}: got an empty value, expected {printable(name)}=8,16,32"
            )
    if not choices:
        raise UserError("sweep: nothing to vary; give a list of values, as in -D TILE=8,16,32")
    product = itertools.product(*([f"{n}={v}" for v in values] for n, values in choices.items()))
    found = tuple(itertools.islice(product, MOST_COMBINATIONS + 1))
    if len(found) > MOST_COMBINATIONS:
        raise UserError(f"sweep: more than {MOST_COMBINATIONS} combinations; give shorter lists")
    return found


def columns(rows: Sequence[tuple[str, ...]], timed: bool = False) -> tuple[str, ...]:
    """The heading of the table: the names that vary, then what the judge says of each.

    timed: whether there are times, of a call at the first timed size
    """
    names = tuple(define.partition("=")[0] for define in rows[0])
    times = ["us a call"] if timed else []
    return (*names, "verdict", "reason", *times, "cases", "seconds", "why")


def cells(report: Report, timed: bool = False) -> tuple[str, ...]:
    """One row of the table, in the order of `columns`."""
    values = tuple(define.partition("=")[2] for define in report.defines)
    fault = report.fault
    return (
        *(printable(value, 24) for value in values),
        report.verdict.value,
        fault.reason.value if fault else "accepted",
        *([_time(report)] if timed else []),
        f"{report.passed}/{report.planned}",
        f"{report.build_seconds + report.run_seconds:.1f}",
        printable(paths.shortened(fault.message), 160) if fault else "",
    )


def _time(report: Report) -> str:
    """The cold median at the first timed size; nothing where there is none that is believed."""
    first = report.speed.timed[0] if report.speed and report.speed.timed else None
    return "" if first is None or first.doubt else speedreport.microseconds(first.cold.median_us)


def exit_code(verdicts: Iterable[Verdict]) -> ExitCode:
    """Accepted only if every row is; one judge error outweighs the rest."""
    found = set(verdicts)
    if Verdict.JE in found:
        return ExitCode.JUDGE_ERROR
    return ExitCode.ACCEPTED if found == {Verdict.AC} else ExitCode.NOT_ACCEPTED
