"""Grading a folder: every submission one result, kept as it comes, judged once, gone on with."""

from __future__ import annotations

import errno
import io
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import test_jsonl

from judge import cli, gradecommands, isolation, spec
from judge.grade import collect, conduct, copies, job, lanes, lines, screens, seat, store
from judge.grade.conduct import Plan, Step
from judge.grade.job import Job, Result
from judge.grade.model import Grading
from judge.grade.seat import Seat
from judge.model import ExitCode, UserError

HERE = Path(__file__).resolve().parent
PROBLEM = HERE / "problems" / "copy"
COPY = spec.load(str(PROBLEM))
RIGHT = """
__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < N) B[i] = A[i];
}
extern "C" void solve(const float* A, float* B, int N) { k<<<(N + 63) / 64, 64>>>(A, B, N); }
"""
WRONG = RIGHT.replace("B[i] = A[i]", "B[i] = A[0]")


def plan(folder: Path) -> Plan:
    """A grading of copy programs on the CPU."""
    return Plan(folder, collect.collect(folder, "copy"), COPY, "cpu", "1", "a processor")


def played(verdicts: Callable[[Job], str], judged: list[str]) -> conduct.Runner:
    """A runner that judges nothing: each job is given a verdict."""

    @contextmanager
    def run(jobs: Sequence[Job]) -> Iterator[Iterator[tuple[int, Result]]]:
        def results() -> Iterator[tuple[int, Result]]:
            for number, one in reversed(list(enumerate(jobs))):
                judged.append(Path(one.path).name)
                done = job.result(job.lost("played", one), 1.0)
                verdict = verdicts(one)
                done["report"]["verdict"] = verdict
                done["report"]["fault"] = None if verdict == "AC" else done["report"]["fault"]
                yield number, done

        yield results()

    return run


def grade(folder: Path, out: Path, runner: conduct.Runner, resume: bool = False) -> Grading:
    """A grading into `out`."""
    one = plan(folder)
    with store.opened(out, conduct.header(one), resume) as kept:
        return conduct.grade(one, kept, runner, lambda step: None)


def write(folder: Path, **files: str) -> Path:
    """A folder of submissions."""
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.cu").write_text(text)
    return folder


def schema_faults(line: dict[str, Any]) -> list[str]:
    """Where a line departs from its schema, and its report from that of reports."""
    path = Path(lines.__file__).parents[1] / "schemas" / "graded.schema.json"
    schema = json.loads(path.read_text())
    assert schema["properties"].pop("report") == {"$ref": "report.schema.json"}
    schema["properties"]["report"] = {"anyOf": [test_jsonl.SCHEMA]}
    return test_jsonl.faults(line, schema)


# --------------------------------------------------------------------------------------------------
# Which submissions there are


def test_every_file_and_folder_is_one_entry(tmp_path: Path) -> None:
    """Files are themselves; of a folder the only file counts, or the one with a telling name."""
    top = write(tmp_path / "top", anna="a")
    write(top / "ben", kernel="b")
    write(top / "carl", old="c", solution="c")
    write(top / "dora", first="d", second="d")
    (top / "empty").mkdir()
    (top / "notes.txt").write_text("not a submission")
    (top / ".git").mkdir()

    found = {entry.name: entry for entry in collect.collect(top, "copy")}

    assert list(found) == ["anna.cu", "ben", "carl", "dora", "empty"]
    assert found["ben"].submission == "ben/kernel.cu"
    assert found["carl"].submission == "carl/solution.cu"
    assert found["dora"].refusal.startswith("2 .cu files (first.cu, second.cu), expected one, or")
    assert found["empty"].refusal == "no .cu file in the folder, expected one"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    """A student cannot have the judge read what the student may not."""
    top = write(tmp_path / "top", mine="a")
    secret = tmp_path / "secret.cu"
    secret.write_text("key")
    (top / "inside.cu").symlink_to("mine.cu")
    (top / "out.cu").symlink_to(secret)
    (top / "nowhere.cu").symlink_to("gone.cu")
    (top / "round.cu").symlink_to("round.cu")
    os.mkfifo(top / "pipe.cu")

    refusals = {entry.name: entry.refusal for entry in collect.collect(top, "copy")}

    assert refusals["inside.cu"] == refusals["mine.cu"] == ""
    assert refusals["out.cu"] == "a link out of its folder, expected a file in it"
    assert refusals["nowhere.cu"] == refusals["round.cu"] != ""
    assert refusals["pipe.cu"] == "not a regular file, expected a .cu file"


def test_nobody_hands_in_what_is_another_s(tmp_path: Path) -> None:
    """An #include or a link that leads to another's is refused; headers for all are not."""
    top = write(tmp_path / "top", anna=RIGHT, eve='#include "anna.cu"\n', carl='#include "c.h"\n')
    (top / "c.h").write_text("// for all")
    (top / "d.h").symlink_to("anna.cu")
    (top / "dora.cu").write_text('#include "d.h"\n')
    write(top / "ben", kernel="b")
    (top / "finn.cu").write_text('#include "ben/kernel.cu"\n')
    (top / "gina").mkdir()
    (top / "gina" / "kernel.cu").symlink_to("../ben/kernel.cu")

    refusals = {entry.name: entry.refusal for entry in collect.collect(top, "copy")}

    assert refusals["anna.cu"] == refusals["carl.cu"] == refusals["ben"] == ""
    assert refusals["eve.cu"] == "includes anna.cu, which is of another submission"
    assert refusals["dora.cu"] == "includes d.h, which is of another submission"
    assert refusals["finn.cu"] == "includes ben/kernel.cu, which is of another submission"
    assert refusals["gina"] == "a link out of its folder, expected a file in it"


def test_what_a_grading_writes_is_nobody_s_submission(tmp_path: Path) -> None:
    """OUT may lie in the graded folder, and must not be it."""
    top = write(tmp_path / "top", anna="a")
    out = top / "results" / "week1"
    write_parents = out / "reports"
    write_parents.mkdir(parents=True)

    assert [entry.name for entry in collect.collect(top, "copy", out)] == ["anna.cu"]
    with pytest.raises(UserError, match="is the graded folder"):
        collect.collect(top, "copy", top / "results" / "..")


def test_what_is_passed_over_is_told(tmp_path: Path) -> None:
    """A hand-in of another suffix is not lost in silence; capitals are none."""
    top = write(tmp_path / "top", anna="a")
    for name in ("BEN.CU", "carl.cpp", "shared.h", ".hidden"):
        (top / name).write_text("x")

    assert collect.passed_over(top) == ("carl.cpp",)
    assert [entry.name for entry in collect.collect(top, "copy")] == ["BEN.CU", "anna.cu"]


def test_a_folder_without_submissions_is_told(tmp_path: Path) -> None:
    """There is nothing to grade, which is no success."""
    with pytest.raises(UserError, match="no submission, expected"):
        collect.collect(tmp_path, "copy")
    with pytest.raises(UserError, match="no such folder"):
        collect.collect(tmp_path / "gone", "copy")


# --------------------------------------------------------------------------------------------------
# One result each


def test_the_same_file_is_judged_once(tmp_path: Path) -> None:
    """Its copies have its result, and say whose it is; another header makes another file."""
    folder = write(tmp_path / "top", a='#include "x.h"', b='#include "x.h"', c="other")
    write(folder / "d", kernel='#include "x.h"')
    (folder / "d" / "x.h").write_text("// its own")
    judged: list[str] = []

    done = grade(folder, tmp_path / "out", played(lambda one: "AC", judged))

    assert sorted(judged) == ["a.cu", "c.cu", "kernel.cu"]
    assert [one.same_as for one in done.results] == ["", "a.cu", "", ""]
    assert [one.name for one in done.results] == ["a.cu", "b.cu", "c.cu", "d"]


def test_a_grading_goes_on_where_it_ended(tmp_path: Path) -> None:
    """What is kept is not judged again, a torn line is, and the end is as if nothing had been."""
    folder = write(tmp_path / "top", a="a", b="b", c="c")
    out = tmp_path / "out"
    judged: list[str] = []

    def dies_at_b(one: Job) -> str:
        if Path(one.path).name == "b.cu":
            raise KeyboardInterrupt
        return "AC"

    with pytest.raises(KeyboardInterrupt):
        grade(folder, out, played(dies_at_b, judged))
    with (out / store.RESULTS).open("a") as file:
        file.write('{"schema": "cuda-judge/gra')
    first = list(judged)
    judged.clear()
    done = grade(folder, out, played(lambda one: "AC", judged), resume=True)

    assert first == ["c.cu", "b.cu"]
    assert judged == ["b.cu", "a.cu"]
    kept = [lines.load(line).name for line in (out / store.RESULTS).read_text().splitlines()]
    assert sorted(kept) == ["a.cu", "b.cu", "c.cu"] == [one.name for one in done.results]


def test_a_changed_file_is_judged_again(tmp_path: Path) -> None:
    """A result belongs to the bytes that were judged."""
    folder = write(tmp_path / "top", a="a", b="b")
    judged: list[str] = []
    grade(folder, tmp_path / "out", played(lambda one: "AC", judged))
    (folder / "a.cu").write_text("better")
    judged.clear()
    done = grade(folder, tmp_path / "out", played(lambda one: "WA", judged), resume=True)

    assert judged == ["a.cu"]
    assert [one.verdict for one in done.results] == ["WA", "AC"]


def test_what_the_judge_broke_is_judged_again(tmp_path: Path) -> None:
    """A JE says nothing of a submission: with --resume it is tried anew, and has one line."""
    folder = write(tmp_path / "top", a="a", b="b", c="b")
    out = tmp_path / "out"
    judged: list[str] = []

    def broken(one: Job) -> str:
        return "JE" if Path(one.path).name == "b.cu" else "AC"

    grade(folder, out, played(broken, judged))
    judged.clear()
    done = grade(folder, out, played(lambda one: "WA", judged), resume=True)

    assert judged == ["b.cu"]
    assert [(one.verdict, one.same_as) for one in done.results] == [
        ("AC", ""),
        ("WA", ""),
        ("WA", "b.cu"),
    ]
    assert len((out / store.RESULTS).read_text().splitlines()) == 3


def test_a_grading_that_graded_nothing_leaves_nothing(tmp_path: Path) -> None:
    """What failed before the first result can be typed again as it was."""
    folder = write(tmp_path / "top", a="a")

    @contextmanager
    def unreachable(jobs: Sequence[Job]) -> Iterator[Iterator[tuple[int, Result]]]:
        raise UserError("no answer")
        yield iter(())

    with pytest.raises(UserError, match="no answer"):
        grade(folder, tmp_path / "out", unreachable)
    assert grade(folder, tmp_path / "out", played(lambda one: "AC", [])).results


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    """A folder that holds something, but no grading, is not written into."""
    folder = write(tmp_path / "top", a="a")
    out = tmp_path / "out"
    out.mkdir()
    (out / "results.csv").write_text("mine")

    with pytest.raises(UserError, match="holds files that are of no grading"):
        grade(folder, out, played(lambda one: "AC", []))
    assert [path.name for path in out.iterdir() if path.name != store.LOCK] == ["results.csv"]


def test_another_grading_is_not_overwritten(tmp_path: Path) -> None:
    """Without --resume a folder with results is refused, and with it another seed or problem is."""
    folder = write(tmp_path / "top", a="a")
    out = tmp_path / "out"
    grade(folder, out, played(lambda one: "AC", []))

    with pytest.raises(UserError, match="holds a grading already; add --resume"):
        grade(folder, out, played(lambda one: "AC", []))
    other = replace(plan(folder), seed="2")
    with (
        pytest.raises(UserError, match="seed is not as it was: got '2', expected '1'"),
        store.opened(out, conduct.header(other), True),
    ):
        pass


def test_two_judges_do_not_grade_into_one_folder(tmp_path: Path) -> None:
    """The second is told at once."""
    header = conduct.header(plan(write(tmp_path / "top", a="a")))
    with (
        store.opened(tmp_path / "out", header, False),
        pytest.raises(UserError, match="another judge is grading into it"),
        store.opened(tmp_path / "out", header, True),
    ):
        pass


@pytest.mark.parametrize(
    "line",
    ["", "{}", "[]", "nan", '{"schema": "cuda-judge/graded/1"}', '{"schema": "other/1"}'],
)
def test_half_a_result_is_none(line: str) -> None:
    """What is not whole is refused, never read as something else."""
    with pytest.raises(ValueError, match="not a"):
        lines.load(line)


def test_a_line_says_all_of_a_result(tmp_path: Path) -> None:
    """Written and read again it is the same; a verdict that was changed by hand is refused."""
    folder = write(tmp_path / "top", a="a")
    done = grade(folder, tmp_path / "out", played(lambda one: "WA", []))
    line = lines.dump(done.results[0])

    assert lines.load(line) == done.results[0]
    changed = json.loads(line)
    changed["verdict"] = "AC"
    with pytest.raises(ValueError, match="verdict 'AC' beside a report with 'WA'"):
        lines.load(json.dumps(changed))
    assert schema_faults(json.loads(line)) == []
    assert schema_faults({**json.loads(line), "more": 1}) != []
    changed = {**json.loads(line), "score": "100"}
    with pytest.raises(ValueError, match="score is a str"):
        lines.load(json.dumps(changed))


# --------------------------------------------------------------------------------------------------
# Side by side


class Deadly(str):
    """A path that ends the process that is sent it."""

    def __reduce__(self) -> Any:
        return os._exit, (9,)


class Sleepy(str):
    """A path that makes the process that is sent it hang."""

    def __reduce__(self) -> Any:
        return time.sleep, (600,)


def real(folder: Path, path: str) -> Job:
    """A job of the copy problem."""
    return Job(str(folder), path, str(PROBLEM), "cpu", "1")


def test_a_judge_that_dies_costs_no_other_result(tmp_path: Path) -> None:
    """A lane is begun anew; the job that kills it twice is JE, the other has its verdict."""
    folder = write(tmp_path / "top", wrong=WRONG)
    made = [real(folder, Deadly("gone.cu")), real(folder, "wrong.cu")]
    with lanes.run(made, seat.deal(1)) as results:
        found = dict(results)

    assert [found[number]["report"]["verdict"] for number in range(2)] == ["JE", "WA"]
    assert "its process died twice" in found[0]["report"]["fault"]["message"]


def test_a_judge_that_hangs_costs_no_other_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever: the job is JE, its lane goes on with the next."""
    monkeypatch.setattr(lanes, "PATIENCE_SECONDS", 4.0)
    made = [real(tmp_path, Sleepy("late.cu")), real(tmp_path, "none.cu")]
    found = {}
    with lanes.run(made, seat.deal(1)) as results:
        for number, result in results:
            found[number] = result
            monkeypatch.setattr(lanes, "PATIENCE_SECONDS", 600.0)  # a slow machine is no hang

    assert "no end after 4 s" in found[0]["report"]["fault"]["message"]
    assert [found[number]["report"]["verdict"] for number in range(2)] == ["JE", "CE"]


def test_the_job_of_a_worker_that_is_killed_is_done_again(tmp_path: Path) -> None:
    """As if nothing had been: every submission has its verdict."""
    folder = write(tmp_path / "top", a=RIGHT, b=WRONG, c=RIGHT + "// c")
    made = [real(folder, path.name) for path in sorted(folder.iterdir())]
    before = set(multiprocessing.active_children())
    found = {}
    with lanes.run(made, seat.deal(2)) as results:
        for number, result in results:
            if not found:
                workers = sorted(
                    set(multiprocessing.active_children()) - before, key=lambda one: one.pid or 0
                )
                for worker in workers:
                    worker.kill()
            found[number] = result["report"]["verdict"]

    assert len(workers) == 2
    assert found == {0: "AC", 1: "WA", 2: "AC"}


def test_seats_share_the_processors_and_no_gpu_is_shared() -> None:
    """Each lane has processors of its own while there are enough, and a card to itself."""
    mine = os.sched_getaffinity(0)
    seats = seat.deal(2)

    assert {number for one in seats for number in one.processors} == mine
    if len(mine) > 1:
        assert not set(seats[0].processors) & set(seats[1].processors)
    assert [one.device for one in seat.deal(8, ("0", "3"))] == ["0", "3"]
    assert all(one.processors for one in seat.deal(64))


def test_a_worker_sees_the_gpu_of_its_seat_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """CUDA counts from what is visible; so a time is never shared with another job."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2,3")
    seat.sit(Seat(device="3"))

    assert os.environ["CUDA_VISIBLE_DEVICES"] == "3"


def test_what_asks_for_a_sandbox_is_not_run_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine that judges looks itself: it may not be the one that was asked."""
    monkeypatch.setattr(isolation, "offered", frozenset)
    fault = job.judge(replace(real(tmp_path, "a.cu"), sandboxed=True))["report"]["fault"]

    assert fault["verdict"] == "JE"
    assert "--require-sandbox: not enforced on this machine" in fault["message"]


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (["AC", "AC"], ExitCode.ACCEPTED),
        (["AC", "WA"], ExitCode.NOT_ACCEPTED),
        (["JE", "WA"], ExitCode.JUDGE_ERROR),
    ],
)
def test_exit_codes_tell_a_wrong_submission_from_a_broken_judge(
    verdicts: list[str], code: ExitCode, tmp_path: Path
) -> None:
    """CI can tell who is to blame."""
    folder = write(tmp_path / "top", a="a", b="b")
    given = dict(zip(("a.cu", "b.cu"), verdicts, strict=True))
    done = grade(folder, tmp_path / "out", played(lambda one: given[Path(one.path).name], []))

    assert gradecommands.exit_code(done) is code


def test_a_line_tells_how_far_it_is(tmp_path: Path) -> None:
    """Where there is no terminal each submission gets a line, whatever its name is made of."""
    folder = write(tmp_path / "top", a="a")
    (folder / "evil\x1b[2J\n.cu").write_text("b")
    told: list[Step] = []
    one = plan(folder)
    with store.opened(tmp_path / "out", conduct.header(one), False) as kept:
        conduct.grade(one, kept, played(lambda one: "WA", []), told.append)

    said = [screens.line(step) for step in told]
    assert said[0] == "1/2  WA internal  evil\\x1b[2J\\n.cu  1.0 s"
    assert said[1].startswith("2/2  WA internal  a.cu")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_with_the_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many of how many, how fast, whose turn it was; gone at the end."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    folder = write(tmp_path / "top", a="a")
    (folder / "[red]\x1b[2J.cu").write_text("b")
    stream, one = Terminal(), plan(folder)
    with (
        store.opened(tmp_path / "out", conduct.header(one), False) as kept,
        screens.progress(stream, 2, 0) as tell,
    ):
        conduct.grade(one, kept, played(lambda one: "WA", []), tell)

    drawn = stream.getvalue()
    assert "2/2" in drawn
    assert "a minute" in drawn
    assert "[red]\\x1b[2J.cu" in drawn
    assert drawn.rstrip("\r").endswith("\x1b[2K")


def test_a_full_disk_is_no_fault_of_a_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3, one line, and what was graded is kept for --resume."""
    (tmp_path / "top" / "empty").mkdir(parents=True)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    monkeypatch.setattr(store.Store, "append", mock.Mock(side_effect=full))
    given = ["grade", "--problem", str(PROBLEM), "--backend", "cpu", "--out", str(tmp_path / "out")]

    assert cli.main([*given, str(tmp_path / "top")]) == ExitCode.JUDGE_ERROR
    said = capsys.readouterr().err
    assert said.endswith(
        "No space left on device; what was graded is kept, add --resume to go on\n"
    )
    assert said.count("\n") == 1


def test_a_copy_names_no_other_student(tmp_path: Path) -> None:
    """Its own file stands wherever the other's stood, its folder for the other's, and whole names
    alone: on the screen and in the report, each as it writes names."""
    folder = write(tmp_path / "top", a="same")
    done = grade(folder, tmp_path / "out", played(lambda one: "WA", [])).results[0]
    other = replace(
        done,
        submission="eve\x1b/k.cu",
        report={
            "place": {"file": "eve\x1b/k.cu", "line": 3},
            "verdict": "WA",
            "notes": ["steve/k.cu"],
        },
        tests=tuple(replace(one, file="eve\x1b/k.cu") for one in done.tests),
        screen="WA  eve\\x1b/k.cu\neve\\x1b/k.h:2: no\n",
    )
    mine = copies.copy(other, collect.Entry("ad\\am.cu", "ad\\am.cu", Path("x")))

    assert mine.same_as == done.name
    assert mine.report["place"] == {"file": "ad\\am.cu", "line": 3}
    assert mine.report["notes"] == ["steve/k.cu"]
    assert {one.file for one in mine.tests} == {"ad\\am.cu"}
    assert mine.screen == "WA  ad\\am.cu\nk.h:2: no\n"
