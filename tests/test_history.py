"""judge/history.py: one line for every run there ever was."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
from dataclasses import replace
from pathlib import Path

import made_reports
import pytest

from judge import history
from judge.find import ROOT
from judge.model import Report


def lines(path: Path) -> list[dict[str, object]]:
    """Every line of the history, which must all be whole."""
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def test_a_run_is_found_again_by_what_was_judged(tmp_path: Path) -> None:
    """The entry holds the source's digest, seed, verdict, reason and failing case."""
    source = tmp_path / "x.cu"
    source.write_text("__global__ void f();\n")
    path = tmp_path / "results" / "history.jsonl"

    assert history.append(replace(made_reports.wrong(), submission=source), path) == ""

    (entry,) = lines(path)
    assert entry["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert (entry["verdict"], entry["reason"], entry["seed"]) == ("WA", "mismatch", "4f3a")
    assert entry["case"] == made_reports.TAIL.id
    assert (entry["accepted"], entry["planned"]) == (1, 2)
    assert str(entry["time"]).endswith("+00:00")


def test_a_submission_of_the_repository_is_named_from_its_root() -> None:
    """Histories of two clones can be compared."""
    report = replace(made_reports.accepted(), submission=ROOT / "submissions" / "x.cu")

    assert history.entry(report)["submission"] == "submissions/x.cu"


def test_runs_are_only_ever_added(tmp_path: Path) -> None:
    """What is in the history stays there, in order."""
    path = tmp_path / "history.jsonl"
    for report in (made_reports.accepted(), made_reports.wrong(), made_reports.accepted()):
        history.append(report, path)

    assert [entry["verdict"] for entry in lines(path)] == ["AC", "WA", "AC"]


def test_a_torn_line_does_not_take_the_next_one_with_it(tmp_path: Path) -> None:
    """After a power cut in the middle of a line the next run is whole."""
    path = tmp_path / "history.jsonl"
    path.write_text('{"verdict":"A')

    history.append(made_reports.accepted(), path)

    torn, whole = path.read_text().splitlines()
    assert torn == '{"verdict":"A'
    assert json.loads(whole)["verdict"] == "AC"


def test_a_time_is_kept_with_its_interval(tmp_path: Path) -> None:
    """Of an accepted run on a GPU; of a run without a time, nothing; torn lines are passed over."""
    path = tmp_path / "history.jsonl"
    path.write_text('{"schema": "cuda-ju\n[]\n')
    fast = made_reports.fast()
    for report in (fast, made_reports.accepted()):
        history.append(report, path)

    timed, untimed = history.read(path)
    assert fast.speed is not None
    first = fast.speed.timed[0]
    assert timed["timed"]["sizes"] == dict(first.sizes)
    assert timed["timed"]["median_us"] == first.cold.median_us
    assert untimed["timed"] is None
    assert list(history.read(tmp_path / "none")) == []


def _append_many(report: Report, path: Path) -> None:
    for _ in range(50):
        assert history.append(report, path) == ""


def test_judges_that_finish_together_lose_nothing(tmp_path: Path) -> None:
    """Four judges at once write 200 whole lines."""
    path = tmp_path / "history.jsonl"
    # Longer than a pipe's or a page's atomic write, so that luck does not hide a missing lock.
    report = replace(made_reports.wrong(), device="x" * 20_000)
    context = multiprocessing.get_context("fork")
    judges = [context.Process(target=_append_many, args=(report, path)) for _ in range(4)]
    for judge in judges:
        judge.start()
    for judge in judges:
        judge.join()

    assert [judge.exitcode for judge in judges] == [0] * 4
    assert len(lines(path)) == 200


def test_a_history_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A verdict is never lost in silence: the sentence names the file and why."""
    (tmp_path / "results").write_text("a file where the folder should be\n")

    said = history.append(made_reports.accepted(), tmp_path / "results" / "history.jsonl")

    assert said.startswith(f"{tmp_path}/results/history.jsonl: this run is not in the history: ")


def test_a_full_disk_is_said_and_leaves_no_half_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write that comes back short is undone."""
    path = tmp_path / "history.jsonl"
    history.append(made_reports.accepted(), path)
    before = path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:10]))

    assert history.append(made_reports.accepted(), path).endswith("the disk is full")
    assert path.read_bytes() == before
