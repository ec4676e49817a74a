"""judge/sweep.py: one submission under several -D values."""

from __future__ import annotations

from dataclasses import replace

import made_reports
import pytest

from judge import sweep, tables
from judge.model import ExitCode, UserError, Verdict
from judge.report import Screen


def test_every_combination_is_judged_once_the_last_name_fastest() -> None:
    """Rows come in the order a person would write them."""
    assert sweep.combinations(["TILE=8,16", "UNROLL=1,4"]) == (
        ("TILE=8", "UNROLL=1"),
        ("TILE=8", "UNROLL=4"),
        ("TILE=16", "UNROLL=1"),
        ("TILE=16", "UNROLL=4"),
    )


def test_a_value_given_twice_is_judged_once() -> None:
    """Spaces around a comma do not make another value."""
    assert sweep.combinations(["TILE=8, 16,8"]) == (("TILE=8",), ("TILE=16",))


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([], "sweep: nothing to vary; give a list of values, as in -D TILE=8,16,32"),
        (["TILE=8,,16"], "-D TILE=8,,16: got an empty value, expected TILE=8,16,32"),
        (["TILE="], "-D TILE=: got an empty value, expected TILE=8,16,32"),
        (["TILE=8", "TILE=16"], "-D TILE: given twice; join the values with commas"),
        (
            [f"{name}=1,2,3,4,5" for name in "ABC"],
            "sweep: more than 64 combinations; give shorter lists",
        ),
        (
            [f"X{number}=1,2" for number in range(500)],
            "sweep: more than 64 combinations; give shorter lists",
        ),
    ],
    ids=["nothing", "gap", "no value", "twice", "125", "2 to the 500"],
)
def test_lists_that_make_no_sense_are_refused(lists: list[str], message: str) -> None:
    """Nothing is judged before the whole sweep is known to make sense."""
    with pytest.raises(UserError) as raised:
        sweep.combinations(lists)

    assert str(raised.value) == message


def test_a_row_holds_value_verdict_reason_cases_and_seconds() -> None:
    """The cells stand under their headings."""
    row = dict(
        zip(
            sweep.columns([("TILE=32",)]),
            sweep.cells(made_reports.wrong()),
            strict=True,
        )
    )

    assert row == {
        "TILE": "32",
        "verdict": "WA",
        "reason": "mismatch",
        "cases": "1/2",
        "seconds": "1.7",
        "why": "33 of 2145 elements wrong, all in row 64 (the tail of M)",
    }


def test_a_sweep_on_a_gpu_has_a_column_of_times() -> None:
    """The cold median at the first timed size; nothing for a rung that failed or a doubted time."""
    fast = made_reports.fast()
    assert fast.speed is not None
    doubted = replace(fast.speed.timed[0], doubt="too fast")
    reports = [
        fast,
        replace(made_reports.wrong(), defines=("TILE=64",)),
        replace(fast, speed=replace(fast.speed, timed=(doubted,))),
    ]
    place = sweep.columns([("TILE=32",)], timed=True).index("us a call")

    assert [sweep.cells(report, timed=True)[place] for report in reports] == ["236.9", "", ""]
    assert "us a call" in tables.sweep(reports, 3, Screen())
    assert "us a call" not in tables.sweep([made_reports.accepted()], 1, Screen())


def test_a_hostile_value_is_shown_not_obeyed() -> None:
    """A value with escape codes stays text."""
    row = sweep.cells(replace(made_reports.accepted(), defines=("X=\x1b[2J",)))

    assert row[0] == "\\x1b[2J"


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([Verdict.AC, Verdict.AC], ExitCode.ACCEPTED),
        ([Verdict.AC, Verdict.CE], ExitCode.NOT_ACCEPTED),
        ([Verdict.WA, Verdict.JE, Verdict.AC], ExitCode.JUDGE_ERROR),
        ([], ExitCode.NOT_ACCEPTED),
    ],
    ids=["all", "not all", "judge error", "none"],
)
def test_a_sweep_is_accepted_only_if_every_row_is(verdicts: list[Verdict], code: ExitCode) -> None:
    """One wrong row is exit code 1, one judge error 3; a sweep without rows is not accepted."""
    assert sweep.exit_code(verdicts) == code
