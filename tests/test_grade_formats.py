"""Each format of a grading is what its reader expects, whatever a submission is called."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import made_reports
import pytest

from judge import caseids, history, spec
from judge.grade import leaderboard, lines, scoring, screens, store
from judge.grade.formats import actions, classroom, files, gradescope, junit, summary, table
from judge.grade.leaderboard import Row
from judge.grade.model import Graded, GradedTest, Grading
from judge.grade.store import Header
from judge.model import Scoring, UserError
from judge.report import Screen

HERE = Path(__file__).resolve().parent
GEMM = spec.load("gemm_fp16")

# Names and output that somebody chose to be obeyed instead of shown.
NASTY = (
    "plain", "", " ", "a\nb", "a\r\nb", "tab\there", "\x00", "\x1b[2J\x1b[31mred", "\x7f",
    "\x85", "\u2028", "\u202etxt.exe", "\u200b", "\ufeff", "\ufffe", "\ud800", "caf\udce9",
    "\U0001f600", "]]>", "<![CDATA[x]]>", "</testsuite>", "<img src=x onerror=alert(1)>",
    "&lt;", "&#0;", '"quoted"', "'single'", "`code`", "**bold**", "[link](http://x)",
    "| a | b |", "@everyone", "http://example.com", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1",
    "=cmd|' /C calc'!A0", "::error::owned", "::stop-commands::x", "\n::error file=a::b",
    "::set-output name=x::y", "%0A::error::x", "%25", "a,b:c", "../../etc/passwd", "/abs",
    "..", ".", "-rf", "a/b", "CON", "x" * 5000, '{"score": 100}', "null", "NaN", "\\", "\\n",
    "$(reboot)", "${{ secrets.TOKEN }}", "%s%n", "\u0301",
)  # fmt: skip


def report(verdict: str = "WA", text: str = "wrong", file: str = "a.cu") -> dict[str, Any]:
    """The parts of a report that formats read."""
    fault = {
        "verdict": verdict,
        "reason": "mismatch",
        "message": text,
        "place": {"file": file, "line": 7},
        "details": [text],
    }
    return {
        "verdict": verdict,
        "backend": "cpu",
        "device": "a processor",
        "fault": None if verdict == "AC" else fault,
        "cases": {"planned": 2, "run": 2, "accepted": 2 * (verdict == "AC")},
        "results": [],
        "build_seconds": 0.5,
        "speed": None,
    }


def graded(name: str, verdict: str = "WA", text: str = "wrong") -> Graded:
    """A submission with one test of 10 points."""
    points = 10.0 * (verdict == "AC")
    test = GradedTest("normal", verdict, "mismatch", text, points, 10.0, 0.25, text, 7)
    return Graded(
        name=name,
        submission=f"{name}/{text}",
        sha256="0" * 64,
        report=report(verdict, text, text),
        tests=(test,),
        score=points,
        max_score=10.0,
        seconds=1.5,
        screen=f"{verdict}  {text}\n{text}\n",
    )


def grading(*results: Graded) -> Grading:
    """Those results as a whole."""
    return Grading("gemm_fp16", "top", "cpu", "1", "2026-01-02T03:04:05+00:00", 9.0, "cpu", results)


EVERYTHING = grading(
    *(graded(f"{number} {text}", text=text) for number, text in enumerate(NASTY)),
    graded("right", "AC", "fine"),
    graded("broken", "JE", "the judge failed"),
)


# --------------------------------------------------------------------------------------------------
# JUnit XML

# The junit-10 schema of the xUnit plug-in, as far as it has elements and attributes.
JUNIT: dict[str, tuple[set[str], set[str], set[str]]] = {
    # element: attributes it must have, may have; children it may have
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"skipped", "time", "timestamp", "hostname", "id", "package", "file"},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": (
        {"name", "classname"},
        {"time", "file", "line", "group", "status", "assertions"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": (set(), {"message", "type"}, set()),
    "error": (set(), {"message", "type"}, set()),
    "system-out": (set(), set(), set()),
    "system-err": (set(), set(), set()),
}


def test_junit_is_of_its_schema_and_counts_right() -> None:
    """Every element and attribute is one that readers know, and no name breaks the document."""
    top = ElementTree.fromstring(junit.render(EVERYTHING))

    for element in top.iter():
        must, may, children = JUNIT[element.tag]
        assert must <= set(element.keys()) <= must | may
        assert {child.tag for child in element} <= children
    suites = top.findall("testsuite")
    assert len(suites) == len(EVERYTHING.results) == int(top.get("tests", ""))
    assert int(top.get("failures", "")) == len(NASTY)
    assert int(top.get("errors", "")) == 1
    assert re.fullmatch(r"[\d-]+T[\d:]+", suites[0].get("timestamp", ""))


def test_junit_says_failure_of_a_submission_and_error_of_the_rest() -> None:
    """A wrong answer is a failed test; what did not build, crashed or broke us is an error."""
    kinds = {}
    for verdict in ("AC", "WA", "TLE", "MLE", "CE", "RE", "JE"):
        top = ElementTree.fromstring(junit.render(grading(graded("a", verdict))))
        case = top.find("testsuite/testcase")
        assert case is not None
        kinds[verdict] = [child.tag for child in case]

    assert kinds["AC"] == []
    assert kinds["WA"] == kinds["TLE"] == kinds["MLE"] == ["failure"]
    assert kinds["CE"] == kinds["RE"] == kinds["JE"] == ["error"]


# --------------------------------------------------------------------------------------------------
# Gradescope, GitHub Classroom


def test_gradescope_gets_what_it_asks_for() -> None:
    """A score, tests with points as text, and nothing a browser would act upon as markup."""
    for one in EVERYTHING.results:
        content = json.loads(gradescope.render(one))

        assert content["score"] == sum(test["score"] for test in content["tests"]) == one.score
        assert content["stdout_visibility"] == "hidden"
        assert content["output_format"] == "text"
        for test in content["tests"]:
            assert set(test) == {
                *("name", "score", "max_score", "status", "output", "output_format", "visibility")
            }
            assert test["status"] in ("passed", "failed")
            assert test["output_format"] == "text"
            assert 0 <= test["score"] <= test["max_score"]
        assert "leaderboard" not in content


def test_gradescope_shows_no_more_than_it_may() -> None:
    """Output beyond a megabyte is cut, and the score is still there."""
    flood = graded("a", text="\n".join("x" * 500 for _ in range(5000)))
    data = gradescope.render(flood)

    assert len(data) < 1_000_000
    assert json.loads(data)["score"] == 0


def test_gradescope_ranks_by_time_only_what_is_right() -> None:
    """A time goes to the leaderboard beside AC alone."""
    timed = {"timed": [{"sizes": {"M": 4}, "cold": {"median_us": 12.3456}, "doubt": ""}]}
    for verdict, expected in (("AC", 12.346), ("WA", None)):
        one = graded("a", verdict)
        one.report["speed"] = timed  # type: ignore[index]
        board = json.loads(gradescope.render(one)).get("leaderboard")
        assert (board and board[0]["value"]) == expected


def test_classroom_decodes_its_result() -> None:
    """Base64 on one line, of JSON with the fields that the reporter reads."""
    for one in EVERYTHING.results:
        data = classroom.render(one)
        assert re.fullmatch(rb"[A-Za-z0-9+/]+=*", data)
        content = json.loads(base64.b64decode(data))

        assert content["version"] == 1
        assert content["status"] in ("pass", "fail", "error")
        assert content["max_score"] == one.max_score
        for test in content["tests"]:
            assert set(test) == {
                "name", "status", "score", "message", "filename", "line_no", "execution_time"
            }  # fmt: skip
    assert classroom.result(graded("a", "AC"))["status"] == "pass"
    assert classroom.result(graded("a", "CE"))["status"] == "error"


# --------------------------------------------------------------------------------------------------
# GitHub Actions


def unescaped(text: str, is_property: bool = False) -> str:
    """As the runner reads a value."""
    for code, letter in (
        ("%0D", "\r"),
        ("%0A", "\n"),
        *((("%3A", ":"), ("%2C", ",")) * is_property),
    ):
        text = text.replace(code, letter)
    return text.replace("%25", "%")


def test_annotations_are_commands_of_ours_alone() -> None:
    """Every line is one error command; no text of a submission begins one or ends one."""
    for number, text in enumerate(NASTY):
        said = actions.render(grading(graded(f"{number} {text}", text=text))).decode()
        found = re.fullmatch(r"::error ([^\n]*?)::([^\r\n]*)\n", said)

        assert found, (text, said)
        names = [one.split("=")[0] for one in found[1].split(",")]
        assert names in (["file", "line", "title"], ["title"])
        title = unescaped(found[1].split("title=")[1], is_property=True)
        assert title.startswith(f"WA mismatch: {number}")
        assert unescaped(found[2]).startswith("normal: ")


def test_an_annotation_is_at_the_file_in_the_repository() -> None:
    """Names are below the graded folder; GitHub looks from the top."""
    wrong = graded("a")
    wrong = replace(wrong, tests=tuple(replace(one, file="ben/k.cu") for one in wrong.tests))

    assert b" file=hand-ins/week1/ben/k.cu,line=7," in actions.render(
        grading(wrong), "hand-ins/week1"
    )


def test_no_more_annotations_than_github_shows() -> None:
    """Ten of a kind: the last one says how many there are beyond."""
    said = actions.render(EVERYTHING).decode().splitlines()

    assert len(said) == 10
    assert said[-1] == f"::error title=judge::{len(NASTY) + 1 - 9} more are in the summary"
    assert actions.render(grading(graded("a", "AC"))) == b""


def test_output_in_a_log_commands_nothing() -> None:
    """Between stop-commands and a token that nobody can guess."""
    said = actions.disarmed("::error::owned\n::stop-commands::x\x1b[2J").splitlines()
    token = said[0].removeprefix("::stop-commands::")

    assert re.fullmatch("[0-9a-f]{32}", token)
    assert said[-1] == f"::{token}::"
    assert token not in "".join(said[1:-1])
    assert actions.disarmed("") != actions.disarmed("")


# --------------------------------------------------------------------------------------------------
# CSV, Markdown, files


def test_the_table_is_read_back_and_computes_nothing() -> None:
    """As many rows as submissions; no cell begins what a spreadsheet takes for a formula."""
    rows = list(csv.DictReader(io.StringIO(table.render(EVERYTHING).decode(), newline="")))

    assert len(rows) == len(EVERYTHING.results)
    assert {row["verdict"] for row in rows} == {"WA", "AC", "JE"}
    for row in rows:
        assert None not in row
        for text in row.values():
            assert not re.match(r"[=+@\t\r]|-[^0-9]", text), text
            assert text.isprintable()


def test_the_summary_renders_as_text() -> None:
    """One row a submission; markup of every kind is escaped."""
    text = summary.render(EVERYTHING).decode()
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]

    assert len(rows) == len(EVERYTHING.results)
    assert "<img" not in text
    assert "](http" not in text
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row)) == 5
        assert not re.search(r"(?<!\\)[`*\[]|(?<!\\)@", row)
    assert len(summary.render(grading(*[graded("x" * 200, text="y" * 200)] * 5000))) < 1_048_576


def test_files_are_plain_and_each_has_its_own(tmp_path: Path) -> None:
    """No name of a submission leaves the folder, hides, or takes another's place."""
    files.write(EVERYTHING, tmp_path)
    reports = sorted(path.name for path in (tmp_path / "reports").iterdir())

    assert len(reports) == len(set(reports)) == len(EVERYTHING.results)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,90}", name) for name in reports)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "annotations.txt", "classroom", "gradescope", "junit.xml", "reports", "results.csv",
        "summary.md",
    ]  # fmt: skip
    text = (tmp_path / "reports" / "right.txt").read_text()
    assert "points   10 of 10" in text
    for path in (tmp_path / "reports").iterdir():
        assert all(line.isprintable() for line in path.read_text().splitlines())


@pytest.mark.parametrize("text", NASTY)
def test_a_result_line_bears_every_text(text: str) -> None:
    """One line of ASCII, and the same when it is read again."""
    one = graded(text, text=text)
    line = lines.dump(one)

    assert line.isascii()
    assert line.count("\n") == 1
    assert lines.load(line) == one


# --------------------------------------------------------------------------------------------------
# Points


def result(family: str, verdict: str = "AC", checked: int = 4) -> dict[str, Any]:
    """One case of a report."""
    fault = None if verdict == "AC" else report(verdict)["fault"]
    check = {"checked": checked, "total": 4}
    return {
        "id": f"{family},N=1", "family": family, "verdict": verdict, "fault": fault,
        "check": check, "seconds": 0.1,
    }  # fmt: skip


def scored(scoring_: Scoring | None, **changes: Any) -> dict[str, float]:
    """Points by test."""
    content = {**report("AC"), **changes}
    return {
        test.name: test.points for test in scoring.score(replace(GEMM, scoring=scoring_), content)
    }


def test_a_problem_that_says_nothing_gives_100_points() -> None:
    """In equal shares for the families with cases."""
    points = scoring.default(GEMM).families

    assert sum(points.values()) == pytest.approx(100)
    assert set(points) == {family.name for family in GEMM.families}
    names = list(points)
    whole = scored(None, results=[result(name) for name in names])
    assert sum(whole.values()) == pytest.approx(100)


def test_points_are_for_what_was_checked() -> None:
    """A family with a wrong case, an unchecked element, or cases that never ran earns nothing."""
    wanted = Scoring({"normal": 60.0, "integers": 30.0}, compiles=10.0)
    both = [result("normal"), result("integers")]

    assert scored(wanted, results=both) == {"compiles": 10, "normal": 60, "integers": 30}
    one_wrong = [result("normal", "WA"), result("normal"), result("integers")]
    assert scored(wanted, verdict="WA", results=one_wrong)["normal"] == 0
    unchecked = [result("normal", checked=3), result("integers")]
    assert scored(wanted, results=unchecked)["normal"] == 0
    stopped = {"planned": 9, "run": 2, "accepted": 2}
    assert scored(wanted, verdict="TLE", cases=stopped, results=both)["integers"] == 0
    broken = scored(wanted, verdict="JE", fault=report("JE")["fault"], results=both)
    assert sum(broken.values()) == 0


def test_a_wrong_submission_keeps_the_points_of_what_is_right() -> None:
    """Families are scored one by one when all their cases were run."""
    wanted = Scoring({"normal": 60.0, "integers": 40.0})
    mixed = [result("normal", "WA"), result("integers")]

    points = scored(wanted, verdict="WA", fault=report("WA")["fault"], results=mixed)
    assert points == {"normal": 0, "integers": 40}


def test_speed_is_paid_on_a_gpu_against_the_ledger() -> None:
    """In proportion up to full; nothing for a time that is not believed."""
    wanted = Scoring({"normal": 50.0}, 0, 50.0, "naive", 4.0)
    base = {"name": "naive", "median_us": 100.0}
    timed = {"cold": {"median_us": 50.0}, "doubt": "", "baselines": [base]}
    name = "time against naive"
    results = [result("normal")]

    assert name not in scored(wanted, results=results)
    on_gpu = {"backend": "gpu", "results": results}
    assert scored(wanted, **on_gpu, speed={"timed": [timed]})[name] == 25
    fast = {**timed, "cold": {"median_us": 1.0}}
    assert scored(wanted, **on_gpu, speed={"timed": [fast]})[name] == 50
    doubted = {**timed, "doubt": "faster than physics"}
    assert scored(wanted, **on_gpu, speed={"timed": [doubted]})[name] == 0
    assert scored(wanted, **on_gpu, speed=None)[name] == 0


# --------------------------------------------------------------------------------------------------
# The leaderboard


def test_a_rank_is_shared_where_intervals_overlap() -> None:
    """The fastest first; whom nobody can tell apart has one rank; no time, no rank."""
    rows = [
        Row("slow", "H200", 50.0, 49.0, 51.0),
        Row("a", "H200", 10.0, 9.9, 10.2),
        Row("untimed", "cpu"),
        Row("b", "H200", 10.1, 10.0, 10.3),
        Row("c", "H200", 10.25, 10.22, 10.4),
        Row("other card", "A100", 1.0, 0.9, 1.1),
    ]
    found = {row.name: (row.rank, row.tied) for row in leaderboard.rank(rows)}

    assert found == {
        "a": (1, True),
        "b": (1, True),
        "c": (3, False),
        "slow": (4, False),
        "other card": (1, False),
        "untimed": (None, False),
    }


def test_the_board_of_a_problem_comes_from_its_ledger() -> None:
    """The recorded times of the accepted rungs, and a CSV of them."""
    rows = leaderboard.rank(leaderboard.read(GEMM, []))

    assert rows[0].rank == 1
    assert "cublas" in rows[0].name
    text = leaderboard.csv_text(rows)
    assert len(list(csv.reader(io.StringIO(text)))) == len(rows) + 1


def test_one_s_own_runs_are_on_the_board(tmp_path: Path) -> None:
    """The newest of each, at the first timed size of the problem, beside the ledger."""
    path = tmp_path / "history.jsonl"
    fast = made_reports.fast()
    assert fast.speed is not None
    first = fast.speed.timed[0]
    here = dict(caseids.timed(GEMM)[0].sizes)
    runs = (("mine.cu", here, 2000.0), ("mine.cu", here, 1e-3), ("else.cu", {"M": 1}, 1.0))
    for name, sizes, median_us in runs:
        cold = replace(first.cold, median_us=median_us, low_us=median_us, high_us=median_us)
        timed = replace(first, sizes=sizes, cold=cold)
        speed = replace(fast.speed, timed=(timed,))
        history.append(replace(fast, speed=speed, submission=Path("/away", name)), path)
    rows = leaderboard.rank(leaderboard.read(GEMM, [], path))

    mine = [row for row in rows if row.name.startswith("/away")]
    assert [(row.name, row.median_us, row.rank) for row in mine] == [
        ("/away/mine.cu TILE=32", 1e-3, 1)
    ]
    assert any("naive.cu" in row.name for row in rows)


def test_gradings_make_a_board(tmp_path: Path) -> None:
    """Those who are right, from all that are named; without a GPU nobody is ranked, and it says
    so."""
    timed = {"sizes": {"M": 4}, "cold": {"median_us": 9.0, "low_us": 8.0, "high_us": 10.0}}
    for number, results in enumerate(
        ([graded("cpu", "AC"), graded("wrong")], [graded("fast", "AC"), graded("odd", "AC")])
    ):
        header = Header("gemm_fp16", "top", "cpu", "1", "", "1", "x", "then")
        with store.opened(tmp_path / str(number), header, False) as kept:
            for one in results:
                doubt = "faster than physics" if one.name == "odd" else ""
                if number:
                    one.report["speed"] = {"timed": [{**timed, "doubt": doubt}]}  # type: ignore[index]
                    one.report["device"] = "NVIDIA H200 (sm_90, CUDA 13.0)"  # type: ignore[index]
                kept.append(one)
    rows = leaderboard.rank(leaderboard.read(GEMM, [tmp_path / "0", tmp_path / "1"]))

    assert [(row.name, row.rank, row.device) for row in rows] == [
        ("fast", 1, "NVIDIA H200"),
        ("cpu", None, "a processor"),
        ("odd", None, "NVIDIA H200"),
    ]
    shown = screens.leaderboard(GEMM, rows, Screen())
    assert "the CPU backend measures none" in shown
    assert "times come from accepted runs on a GPU" in screens.leaderboard(GEMM, [], Screen())
    with pytest.raises(UserError, match="is of gemm_fp16, expected vector_add"):
        leaderboard.read(spec.load("vector_add"), [tmp_path / "0"])


def test_a_board_fits_a_narrow_screen_whatever_the_names() -> None:
    """A heading for each device, no line wider than the screen, nothing that a terminal obeys."""
    names = [f"student_{number}_hands_in_a_file.cu" for number in range(30)]
    names += ["\x1b[31mred\x07.cu", "::error::x.cu", "\u202egnp.cu", "n" * 300, "two\nlines.cu"]
    rows = leaderboard.rank(
        Row(
            name,
            ("NVIDIA H200", "NVIDIA L4")[number % 2],
            10.0 + number,
            9.9 + number,
            10.1 + number,
        )
        for number, name in enumerate(names)
    )
    shown = screens.leaderboard(GEMM, (*rows, Row("slow.cu", "a processor")), Screen(80))

    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line.startswith("on ")] == ["on NVIDIA H200", "on NVIDIA L4"]
    for name in names[:30]:
        assert any(line.endswith(f"  {name}") for line in lines), name
    assert all(line.isprintable() for line in lines)
    assert "::error::" not in shown
    assert "36 accepted submissions" in lines[0]
    assert lines[-1] == "  slow.cu"


def test_a_folder_without_a_grading_has_no_board(tmp_path: Path) -> None:
    """It is told, and what `grade` wrote is asked for."""
    with pytest.raises(UserError, match="no grading there"):
        leaderboard.read(GEMM, [tmp_path])
