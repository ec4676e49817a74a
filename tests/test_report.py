"""judge/report.py: a Report as one screen for people."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import made_reports
import pytest

from judge.model import Build, Place, Reason, Report, Verdict
from judge.report import Screen, render, screen_of

PLAIN = Screen()
ESCAPE = "\x1b["


def fields(report: Report) -> dict[str, str]:
    """The plain screen's lines by their label."""
    lines = render(report, PLAIN).splitlines()[1:]
    return {line[2:11].strip(): line[11:] for line in lines}


def test_an_accepted_run_says_how_many_cases_and_how_near_the_limit() -> None:
    """AC is followed by counts, the highest usage and its case, never by a bare word."""
    screen = render(made_reports.accepted(), PLAIN)

    assert screen.startswith(
        "AC  accepted  gemm_fp16  submissions/gemm_fp16/tiled.cu  cpu -D TILE=32\n"
    )
    shown = fields(made_reports.accepted())
    assert shown["cases"] == "2 of 2 accepted"
    assert shown["usage"] == f"at most 0.41 of the allowed error, in {made_reports.TAIL.id}"
    assert shown["took"] == "build 1.2 s (g++ 12.2.0), run 0.5 s"
    assert shown["seed"] == "4f3a"


def test_a_wrong_answer_names_line_element_case_pattern_and_command() -> None:
    """One screen ends the search: where, what, got, expected, and how to repeat it."""
    shown = fields(made_reports.wrong())

    assert render(made_reports.wrong(), PLAIN).startswith("WA  mismatch  gemm_fp16  ")
    assert shown["why"] == (
        "tests/submissions/gemm_fp16/wa_drops_k_tail.cu:31: "
        "33 of 2145 elements wrong, all in row 64 (the tail of M)"
    )
    assert shown[""] == "row 64 holds what row 0 should"
    assert shown["worst"] == (
        "C[64, 7]: got 0, expected -2.31, error 2.31, allowed 0.0023, usage 1004"
    )
    assert shown["case"] == f"{made_reports.TAIL.id}  (tails of 16)"
    assert shown["pattern"] == "every failing case has K % 16 != 0"
    assert shown["cases"] == "1 of 2 accepted; 1 WA mismatch"
    assert shown["again"] == made_reports.wrong().again
    assert "usage" not in shown


def test_paths_read_as_a_user_would_type_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler's absolute paths are shortened to where the user stands."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "mine" / "x.cu"
    report = made_reports.failed(
        Verdict.CE,
        Reason.COMPILE,
        "expected ';'",
        place=Place(str(source), 12),
        details=(f"{source}:12:5: error", "/usr/include/x.h:3: note"),
    )
    screen = render(replace(report, submission=source), PLAIN)

    assert "why      mine/x.cu:12: expected ';'\n" in screen
    assert "         mine/x.cu:12:5: error\n" in screen
    assert "/usr/include/x.h:3: note" in screen
    assert str(tmp_path) not in screen


def test_the_worst_element_is_not_said_twice() -> None:
    """Where the reason's own lines name the element, it gets no line of its own."""
    report = made_reports.wrong()
    assert report.fault is not None
    fault = replace(report.fault, details=("C[64, 7]: got 0, expected -2.31",))

    assert "worst" not in fields(replace(report, fault=fault))


def test_cases_that_were_not_run_are_counted() -> None:
    """A run that stopped early does not look complete."""
    report = replace(made_reports.wrong(), planned=40)

    assert fields(report)["cases"] == "1 of 40 accepted; 1 WA mismatch; 38 not run"


def test_a_compile_error_shows_the_log_and_where_all_of_it_is() -> None:
    """Twenty lines of the compiler at most; the path of the rest."""
    report = made_reports.failed(
        Verdict.CE,
        Reason.COMPILE,
        "expected ';'",
        place=Place("x.cu", 12),
        details=tuple(f"line {i}" for i in range(50)),
    )
    report = replace(report, log_path=Path("/logs/x.log"))
    screen = render(report, PLAIN)

    assert "x.cu:12: expected ';'" in screen
    assert "line 18\n" in screen
    assert "line 19\n" not in screen
    assert "... (31 more lines)" in screen
    assert fields(report)["log"] == "/logs/x.log"


def test_a_not_a_number_is_shown_as_one() -> None:
    """A submission that wrote nan reads `got nan`."""
    assert "got nan, expected -2.31" in render(made_reports.wrong(float("nan")), PLAIN)


def test_warnings_of_the_compiler_stand_beside_an_accepted_run() -> None:
    """Three at most: a run that is right but smells says so."""
    build = Build(Path("x"), Path("x"), 0, True, "g++", tuple(f"warning {i}" for i in range(5)))
    screen = render(replace(made_reports.accepted(), build=build), PLAIN)

    assert "warning  warning 0" in screen
    assert "warning 2" in screen
    assert "warning 3" not in screen
    assert "(g++, cached)" in screen


HOSTILE = "\x1b[2J[red]x[/red]\x9b31m\u202e:boom: AC\r\x07"


@pytest.mark.parametrize("screen", [PLAIN, Screen(60, True)], ids=["plain", "colour"])
def test_nothing_a_submission_brings_along_reaches_the_terminal(screen: Screen) -> None:
    """Control bytes are shown as escapes, and rich markup is text like any other."""
    report = made_reports.wrong()
    assert report.fault is not None
    assert report.failing is not None
    place = Place(HOSTILE, 3)
    fault = replace(report.fault, message=HOSTILE, details=(HOSTILE,), place=place)
    report = replace(
        report,
        problem=HOSTILE,
        submission=Path(HOSTILE),
        defines=(HOSTILE,),
        fault=fault,
        failing=replace(report.failing, fault=fault, printed=HOSTILE),
        pattern=(HOSTILE,),
        notes=(HOSTILE,),
        again=HOSTILE,
        device=HOSTILE,
        seed=HOSTILE,
        build=Build(Path("x"), Path("x"), 0, False, HOSTILE, (HOSTILE,), (HOSTILE,)),
        log_path=Path(HOSTILE),
    )

    text = render(report, screen)

    assert "\x1b[2J" not in text
    assert not set(text) & {"\r", "\x07", "\x9b", "\u202e"}
    assert "\\x1b[2J" in text
    if screen is PLAIN:
        assert text.count("[red]x[/red]") == 15  # everywhere it was put, whole
        assert "\x1b" not in text


def test_a_submission_cannot_forge_a_verdict_line() -> None:
    """What it printed is indented below a label; a newline of its own does not reach column 0."""
    report = made_reports.wrong()
    assert report.failing is not None
    forged = replace(report.failing, printed="x\nAC  accepted  gemm_fp16\n")

    lines = render(replace(report, failing=forged, problem="p\nAC  accepted"), PLAIN).splitlines()

    assert [line for line in lines if line.startswith("AC")] == []


def test_an_accepted_run_shows_what_its_first_case_printed() -> None:
    """printf works for a learner whose kernel is right, too."""
    report = made_reports.accepted()
    first, *rest = report.results
    talking = replace(report, results=(replace(first, printed="sum 3"), *rest))

    assert "printed  sum 3" in render(talking, Screen())
    assert "printed" not in render(report, Screen())


def test_a_printed_flood_is_cut() -> None:
    """Six lines of what the submission printed, and how many more there were."""
    report = made_reports.wrong()
    assert report.failing is not None
    flood = replace(report.failing, printed="\n".join(f"p{i}" for i in range(1000)))

    screen = render(replace(report, failing=flood), PLAIN)

    assert "p4\n" in screen
    assert "p5\n" not in screen
    assert "... (995 more lines)" in screen


def test_a_pipe_gets_no_colour_and_no_wrapping(monkeypatch: pytest.MonkeyPatch) -> None:
    """grep finds whole lines."""
    monkeypatch.setenv("COLUMNS", "40")
    screen = screen_of(io.StringIO())

    assert screen == PLAIN
    assert ESCAPE not in render(made_reports.wrong(), screen)
    assert max(map(len, render(made_reports.wrong(), screen).splitlines())) > 100


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colour_unless_it_asks_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR and TERM=dumb are respected; the layout still fits the terminal."""
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert ESCAPE in render(made_reports.wrong(), screen_of(Terminal()))

    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        monkeypatch.setenv(name, value)
        assert screen_of(Terminal()) == Screen(60, False)
        assert "\x1b" not in render(made_reports.wrong(), screen_of(Terminal()))
        monkeypatch.setenv(name, "" if name == "NO_COLOR" else "xterm")


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_narrow_terminal_loses_no_text(columns: int) -> None:
    """Lines are folded to the width, all but the command, which must stay one piece to copy."""
    report = made_reports.wrong()
    text = render(report, Screen(columns))
    *lines, again = text.splitlines()

    assert max(map(len, lines)) <= columns
    assert again.endswith(report.again)
    whole = "".join(text.split())
    assert "".join(report.pattern[0].split()) in whole
    assert report.failing is not None
    assert report.failing.case.id in whole


def test_a_judge_error_never_blames_the_submission() -> None:
    """JE says that the judge failed, and where the traceback is."""
    report = made_reports.failed(
        Verdict.JE, Reason.INTERNAL, "the judge failed, not the submission: KeyError: 'x'"
    )
    report = replace(report, log_path=Path("/logs/e.log"))

    assert render(report, PLAIN).startswith("JE  internal")
    assert "the judge failed, not the submission" in fields(report)["why"]
    assert fields(report)["log"] == "/logs/e.log"
