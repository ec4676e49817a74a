"""judge/laddertable.py, judge/ladder.py, judge/rungs.py: the ladder, climbed and shown."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import fake_backend
import made_reports
import pytest
from test_ledger import FAULT, GEMM, failed, fast, recorded

from judge import backend, find, ladder, laddertable, ledger, rungs
from judge.model import CallFault, Fault, Progress, Reason, Speed, UserError, Verdict

README = find.ROOT / "README.md"


def rows(text: str) -> dict[str, list[str]]:
    """The table's cells by rung."""
    lines = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ")]
    return {line[0].strip(): [cell.strip() for cell in line[1:]] for line in lines}


def test_the_readme_shows_what_the_ledger_holds() -> None:
    """The table is the one that `make ladder` would write from the ledger in git."""
    recorded_lines = ledger.read(ledger.path_of("gemm_fp16"))
    table = laddertable.table(GEMM, recorded_lines, rungs.rungs(GEMM))

    assert laddertable.shown(README, "gemm_fp16") == table


def test_the_ladder_is_in_order_with_a_rung_for_each_value_of_a_sweep() -> None:
    """`// rung:` orders the files, `// sweep:` multiplies them, baselines come last."""
    names = [rung.name for rung in rungs.rungs(GEMM)]

    assert names[:6] == [
        "naive",
        "tiled, TILE 8",
        "tiled, TILE 16",
        "tiled, TILE 32",
        "tiled, TILE 64",
        "register_tiled",
    ]
    assert names[-1] == "cublas"
    assert [rung.baseline for rung in rungs.rungs(GEMM)].count(True) == 1
    assert [rung.name for rung in rungs.references(GEMM)] == ["naive", "cublas"]


@pytest.mark.parametrize(
    ("line", "told"),
    [("// rung: first", "x.cu:1: rung: got first"), ("// sweep: TILE=", "x.cu: '// sweep:' line")],
)
def test_a_bad_declaration_is_named(tmp_path: Path, line: str, told: str) -> None:
    """A slip in the first lines of a rung is told by file and line."""
    folder = tmp_path / "submissions" / "gemm_fp16"
    folder.mkdir(parents=True)
    (folder / "x.cu").write_text(f"{line}\n")

    with pytest.raises(UserError) as error:
        rungs.rungs(GEMM, tmp_path)
    assert told in str(error.value)


def test_files_without_a_place_come_after_those_with_one(tmp_path: Path) -> None:
    """A learner's own file joins the ladder without a declaration."""
    folder = tmp_path / "submissions" / "gemm_fp16"
    folder.mkdir(parents=True)
    for name, text in (("b", ""), ("a", ""), ("z", "// rung: 1\n")):
        (folder / f"{name}.cu").write_text(text)

    assert [rung.name for rung in rungs.rungs(GEMM, tmp_path)] == ["z", "a", "b"]
    assert [rung.name for rung in rungs.references(GEMM, tmp_path)] == ["z"]
    with pytest.raises(UserError, match="no submission"):
        rungs.rungs(GEMM, tmp_path / "nowhere")


@pytest.fixture
def table(tmp_path: Path) -> str:
    """Four rungs, one of which does not launch and one of which is not timed everywhere."""
    path = tmp_path / "ledger.jsonl"
    recorded(
        path,
        fast("naive.cu", 900.0, 1.0, 1.0, 1.0),
        fast("naive.cu", 517.6, 32000.0, 530.1, 33000.0),
        fast("tiled.cu", 240.0, 15000.0, defines=("TILE=32",)),
        failed("tiled.cu", "TILE=64"),
        fast("baselines/cublas.cu", 9.0, 193.5),
    )
    return laddertable.table(GEMM, ledger.read(path), rungs.rungs(GEMM))


def test_the_table_has_the_latest_time_of_each_rung(table: str) -> None:
    """Sizes in the spec's order, TFLOP/s at the largest whole size, and the share of cuBLAS."""
    cells = rows(table)

    assert cells["rung"] == [
        *("1024", "4096", "1023 x 1025 x 1027", "4095 x 4097 x 4099"),
        *("TFLOP/s at 4096", "of cublas"),
    ]
    assert cells["naive"] == ["517.6", "32000", "530.1", "33000", "4.29", "0.006"]
    assert cells["tiled, TILE 32"] == ["240.0", "15000", "", "", "9.16", "0.013"]
    assert cells["cublas"][:2] == ["9.000", "193.5"]
    assert cells["cublas"][4:] == ["710", "1"]


def test_a_rung_that_failed_has_a_row_with_its_verdict_and_the_reason_below(table: str) -> None:
    """TILE 64 is a result: RE, and why."""
    assert rows(table)["tiled, TILE 64"] == ["RE"] * 4 + ["", ""]
    assert f"tiled, TILE 64: RE `launch_limits`: {FAULT.message}." in table


def test_the_conditions_stand_above_the_numbers(table: str) -> None:
    """Device, driver, CUDA, date, case set and noise, before the first number."""
    line = table.splitlines()[0]
    day = ledger.lines(fast("naive.cu", 1.0), GEMM, "")[0].time[:10]

    assert line.startswith(f"NVIDIA H200, driver 580.65.06, CUDA 13.0, {day}, case set ")
    assert ledger.case_set(GEMM)[:12] in line
    assert "noise (standard deviation / mean) at most 2.8 %" in line


def test_times_of_other_conditions_do_not_stand_side_by_side(tmp_path: Path) -> None:
    """The device and the case set of the last line decide; a changed text forgets its times."""
    path = tmp_path / "ledger.jsonl"
    recorded(path, fast("naive.cu", 500.0), fast("register_tiled.cu", 200.0, 9000.0))
    lines = list(ledger.read(path))
    a100 = replace(lines[0], device="NVIDIA A100", submission="submissions/gemm_fp16/wmma.cu")
    older = replace(lines[0], case_set="0" * 64, submission="submissions/gemm_fp16/wmma.cu")
    edited = replace(lines[1], sha256="1" * 64)
    cells = rows(laddertable.table(GEMM, [a100, older, *lines, edited], rungs.rungs(GEMM)))

    assert cells.keys() == {"rung", "naive", "register_tiled"}
    assert cells["register_tiled"][:2] == ["200.0", ""]
    assert "of cublas" not in cells["rung"]


def test_a_doubted_time_is_not_shown_and_a_noisy_one_says_so(tmp_path: Path) -> None:
    """What is not believed is no number in the README either."""
    path = tmp_path / "ledger.jsonl"
    recorded(path, fast("naive.cu", 500.0, 32000.0))
    first, second = ledger.read(path)
    assert first.measured is not None
    assert second.measured is not None
    lines = [
        replace(first, measured=replace(first.measured, noisy=True)),
        replace(second, measured=replace(second.measured, doubt="too fast")),
    ]
    cells = rows(laddertable.table(GEMM, lines, rungs.rungs(GEMM)))

    assert cells["naive"][:2] == ["500.0 (noisy)", "not believed"]
    assert cells["naive"][2:] == ["", "", ""]


def test_the_table_goes_between_its_markers_and_nowhere_else(tmp_path: Path) -> None:
    """The rest of the README is not touched; without markers nothing is written."""
    path = tmp_path / "README.md"
    path.write_text("before\n<!-- ladder: gemm_fp16 -->\nold\n<!-- end of ladder -->\nafter\n")
    laddertable.rewrite(path, GEMM, "new\n")

    assert path.read_text() == (
        "before\n<!-- ladder: gemm_fp16 -->\nnew\n<!-- end of ladder -->\nafter\n"
    )
    assert laddertable.shown(path, "gemm_fp16") == "new\n"
    path.write_text("nothing here\n")
    with pytest.raises(UserError, match="no place for the table"):
        laddertable.rewrite(path, GEMM, "new\n")
    assert path.read_text() == "nothing here\n"


@pytest.fixture
def right(monkeypatch: pytest.MonkeyPatch) -> None:
    """A backend that accepts every file."""
    room = fake_backend.FakeBackend(lambda: lambda data, right: fake_backend.outputs(right))
    monkeypatch.setattr(backend, "load", lambda name: room)


def climbed(clock: ladder.Clock) -> list[tuple[str, Verdict, Speed | None]]:
    """What comes of the first two rungs."""
    two = rungs.rungs(GEMM)[:2]
    found = ladder.climb(GEMM, two, clock, "seed", lambda progress: None)
    return [(rung.name, report.verdict, report.speed) for rung, report in found]


def test_every_accepted_rung_is_timed(right: None) -> None:
    """Judged first, without a time of its own, then timed by the clock that all share."""
    speed = made_reports.speed()

    assert climbed(lambda build, hear: speed) == [
        ("naive", Verdict.AC, speed),
        ("tiled, TILE 8", Verdict.AC, speed),
    ]


def test_a_wrong_timed_call_takes_the_verdict_back_and_the_ladder_goes_on(right: None) -> None:
    """One bad rung has no time, and costs the others nothing."""
    speed = made_reports.speed()
    faults = iter([Fault(Verdict.WA, Reason.MISMATCH, "3 of 9 elements wrong in a timed call")])

    def clock(build: object, hear: object) -> Speed:
        for fault in faults:
            raise CallFault(fault)
        return speed

    assert climbed(clock) == [("naive", Verdict.WA, None), ("tiled, TILE 8", Verdict.AC, speed)]


def test_progress_names_the_rung(right: None) -> None:
    """Whoever waits sees how many rungs are done, and which is next."""
    heard: list[Progress] = []
    two = rungs.rungs(GEMM)[:2]
    list(ladder.climb(GEMM, two, lambda build, hear: made_reports.speed(), "seed", heard.append))

    assert [(p.done, p.total, p.text) for p in heard if p.stage == "ladder"] == [
        (0, 2, "naive: judge"),
        (1, 2, "tiled, TILE 8: judge"),
    ]


def test_a_rung_in_one_line() -> None:
    """While the ladder is climbed each rung says its times, or why it has none."""
    ladder_rungs = rungs.rungs(GEMM)

    assert ladder.line(ladder_rungs[0], fast("naive.cu", 517.6)) == (
        "AC  naive                   517.6 us at 1024 x 1024 x 1024"
    )
    assert "launch_limits: block (64, 64, 1)" in ladder.line(ladder_rungs[4], failed("tiled.cu"))


def test_a_part_of_the_ladder_by_file_name() -> None:
    """`--only tiled.cu` or `--only tiled` takes its whole sweep; an unknown name is refused."""
    all_rungs = rungs.rungs(GEMM)

    assert (
        len(ladder.chosen(all_rungs, ["tiled"])) == len(ladder.chosen(all_rungs, ["tiled.cu"])) == 4
    )
    assert ladder.chosen(all_rungs, []) == all_rungs
    with pytest.raises(UserError, match=r"there are: .*naive\.cu"):
        ladder.chosen(all_rungs, ["nave.cu"])


def test_the_table_is_written_without_a_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`ladder --readme-only` needs nothing but the ledger."""
    from judge import cli

    shutil.copy(README, tmp_path / "README.md")
    ledger_path = tmp_path / "ledger.jsonl"
    recorded(ledger_path, fast("naive.cu", 517.6))
    monkeypatch.setattr(ledger, "path_of", lambda slug: ledger_path)
    ladder_rungs = rungs.rungs(GEMM)
    monkeypatch.setattr(rungs, "rungs", lambda spec: ladder_rungs)
    monkeypatch.setattr(find, "ROOT", tmp_path)

    assert cli.main(["ladder", "gemm_fp16", "--readme-only"]) == 0
    assert "| naive | 517.6 |" in (tmp_path / "README.md").read_text()
