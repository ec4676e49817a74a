"""Grading a folder: every submission one result, kept as it comes, judged once, gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge import gradecommands, spec
from judge.find import ROOT
from judge.grade import collect, conduct, job, lanes, lines, screens, seat, store
from judge.grade.conduct import Plan, Step
from judge.grade.job import Job, Result
from judge.grade.model import Grading
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
    changed = {**json.loads(line), "score": "100"}
    with pytest.raises(ValueError, match="score is a str"):
        lines.load(json.dumps(changed))


# --------------------------------------------------------------------------------------------------
# Side by side


class Deadly(str):
    """A path that ends the process that is sent it."""

    def __reduce__(self) -> Any:
        return os._exit, (9,)


def test_a_judge_that_dies_costs_no_other_result(tmp_path: Path) -> None:
    """A lane is begun anew; the job that kills it twice is JE, all others have their verdicts."""
    folder = write(tmp_path / "top", right=RIGHT, wrong=WRONG)
    made = [
        Job(str(folder / "right.cu"), str(PROBLEM), "cpu", "1"),
        Job(Deadly("gone.cu"), str(PROBLEM), "cpu", "1"),
        Job(str(folder / "wrong.cu"), str(PROBLEM), "cpu", "1"),
    ]
    with lanes.run(made, seat.deal(2)) as results:
        found = dict(results)

    verdicts = [found[number]["report"]["verdict"] for number in range(3)]
    assert verdicts == ["AC", "JE", "WA"]
    assert "its process died twice" in found[1]["report"]["fault"]["message"]


def test_seats_share_the_processors_and_no_gpu_is_shared() -> None:
    """Each lane has processors of its own while there are enough, and a card to itself."""
    mine = os.sched_getaffinity(0)
    seats = seat.deal(2)

    assert {number for one in seats for number in one.processors} == mine
    if len(mine) > 1:
        assert not set(seats[0].processors) & set(seats[1].processors)
    assert [one.device for one in seat.deal(8, ("0", "3"))] == ["0", "3"]
    assert all(one.processors for one in seat.deal(64))


def judge_command(*arguments: str) -> list[str]:
    """The command line of a grading of copy programs."""
    head = [sys.executable, "-m", "judge", "grade", "--problem", str(PROBLEM), "--backend", "cpu"]
    return [*head, *arguments]


def test_kill_9_and_resume(tmp_path: Path) -> None:
    """Killed in the middle, the judge goes on: every submission one line, none judged twice."""
    texts = {f"s{number}": RIGHT + f"// {number}" for number in range(5)}
    folder = write(tmp_path / "top", **texts, wrong=WRONG, broken="int x")
    out = tmp_path / "out"
    command = judge_command("--out", str(out), "--jobs", "1", str(folder))
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
    results = out / store.RESULTS
    deadline = time.monotonic() + 60
    while not results.exists() or results.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = results.read_text().splitlines()

    again = subprocess.run(
        [*command, "--resume"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert again.returncode == ExitCode.NOT_ACCEPTED, again.stderr
    after = results.read_text().splitlines()
    assert after[: len(before)] == before
    graded = [lines.load(line) for line in after]
    assert sorted(one.name for one in graded) == sorted(path.name for path in folder.iterdir())
    assert {one.name: one.verdict for one in graded if one.verdict != "AC"} == {
        "wrong.cu": "WA",
        "broken.cu": "CE",
    }
    assert f"going on: {len(before)} graded before" in again.stderr
    for name in ("results.csv", "junit.xml", "summary.md", "reports/s0.cu.txt"):
        assert (out / name).stat().st_size


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
