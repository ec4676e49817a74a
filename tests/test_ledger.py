"""judge/ledger.py, judge/baselines.py: recorded times, strict where they are written and read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import made_reports
import pytest

from judge import baselines, caseids, find, ledger, spec
from judge.model import Fault, Reason, Report, TimedCase, UserError, Verdict

GEMM = spec.load("gemm_fp16")
FAULT = Fault(Verdict.RE, Reason.LAUNCH_LIMITS, "block (64, 64, 1) = 4096 threads, limit 1024")


def at(number: int, median_us: float) -> TimedCase:
    """A time at one of the spec's timed sizes."""
    sizes = caseids.timed(GEMM)[number].sizes
    return replace(made_reports.timed(sizes["M"], median_us), sizes=sizes)


def fast(name: str, *medians_us: float, defines: tuple[str, ...] = ()) -> Report:
    """A rung of the ladder, timed at the first sizes."""
    return replace(
        made_reports.fast(),
        submission=find.ROOT / "submissions" / "gemm_fp16" / name,
        defines=defines,
        speed=made_reports.speed(*(at(n, us) for n, us in enumerate(medians_us))),
    )


def failed(name: str, *defines: str) -> Report:
    """A rung that does not launch."""
    return replace(fast(name, 1.0, defines=defines), verdict=FAULT.verdict, fault=FAULT, speed=None)


def recorded(path: Path, *reports: Report) -> None:
    """Append what the reports leave."""
    for report in reports:
        ledger.append(ledger.lines(report, GEMM, "580.65.06"), path)


def test_a_line_carries_the_conditions_of_its_number(tmp_path: Path) -> None:
    """Who, what, where and how well: enough to doubt a time or to take it again."""
    path = tmp_path / "x" / "ledger.jsonl"
    recorded(path, fast("tiled.cu", 236.9, 18240.0, defines=("TILE=32",)))

    first, second = ledger.read(path)
    assert first.measured is not None
    assert (first.submission, first.defines) == ("submissions/gemm_fp16/tiled.cu", ("TILE=32",))
    assert len(first.sha256) == len(first.case_set) == 64
    assert (first.device, first.driver, first.cuda) == ("NVIDIA H200", "580.65.06", "13.0")
    assert (first.measured.sm_mhz_before, first.measured.sm_mhz_after) == ("1980", "1755")
    assert (first.measured.samples, first.measured.method) == (200, "gated events")
    assert first.case == "normal,M=1024,N=1024,K=1024,alpha=1,beta=0"
    assert second.case == "normal,M=4096,N=4096,K=4096,alpha=1,beta=0"
    assert first.time == second.time
    assert first.measured.median_us == 236.9
    assert first.measured.tera_per_s == pytest.approx(2 * 1024**3 / 236.9e-6 / 1e12, rel=1e-3)


def test_only_an_accepted_run_has_a_time(tmp_path: Path) -> None:
    """Whatever else a run brings along, a line with another verdict carries no number."""
    path = tmp_path / "ledger.jsonl"
    recorded(path, replace(failed("tiled.cu", "TILE=64"), speed=made_reports.speed()))

    (line,) = ledger.read(path)
    assert (line.verdict, line.reason, line.measured) == ("RE", "launch_limits", None)
    assert line.why == FAULT.message
    (timed,) = ledger.lines(fast("naive.cu", 517.6), GEMM, "")
    with pytest.raises(ValueError, match="verdict RE with a time"):
        replace(timed, verdict="RE")
    with pytest.raises(ValueError, match="verdict AC with no time"):
        replace(line, verdict="AC")
    with pytest.raises(ValueError, match="no time to record"):
        ledger.lines(replace(fast("naive.cu", 1.0), speed=None), GEMM, "")


def test_the_cpu_backend_never_writes_to_the_ledger() -> None:
    """An emulator's time is no time."""
    with pytest.raises(ValueError, match="backend cpu"):
        ledger.lines(replace(fast("naive.cu", 517.6), backend="cpu"), GEMM, "")


def test_lines_are_only_ever_added(tmp_path: Path) -> None:
    """A second run leaves the first as it was, and a torn line does not swallow the next."""
    path = tmp_path / "ledger.jsonl"
    recorded(path, fast("naive.cu", 517.6))
    before = path.read_bytes()
    recorded(path, fast("naive.cu", 517.9))

    assert path.read_bytes().startswith(before)
    assert [line.measured and line.measured.median_us for line in ledger.read(path)] == [
        517.6,
        517.9,
    ]
    path.write_bytes(before[:-20])
    recorded(path, fast("naive.cu", 517.9))
    assert len(path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"schema": "cuda-judge/ledger/2"}, "schema"),
        ({"device": None}, "device: got None, expected str"),
        ({"extra": 1}, "extra"),
        ({"defines": [1]}, "defines"),
        ({"verdict": "WA"}, "with a time"),
        ({"measured": None}, "with no time"),
        ({"measured": {"median_us": 1.0}}, "samples"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, change: dict[str, object], told: str) -> None:
    """Nothing is skipped: file, line and field are told."""
    path = tmp_path / "ledger.jsonl"
    recorded(path, fast("naive.cu", 517.6, 30000.0))
    good = path.read_text().splitlines()
    path.write_text("\n".join([good[0], json.dumps({**json.loads(good[1]), **change}), ""]))

    with pytest.raises(UserError, match="restore the line from git") as error:
        ledger.read(path)
    assert f"{path}:2: " in str(error.value)
    assert told in str(error.value)


def test_a_number_that_json_lacks_is_refused(tmp_path: Path) -> None:
    """A NaN, or a text, is no time."""
    path = tmp_path / "ledger.jsonl"
    recorded(path, fast("naive.cu", 517.6))
    text = path.read_text()
    for bad in ("NaN", '"517.6"', "true"):
        path.write_text(text.replace('"median_us": 517.6', f'"median_us": {bad}'))
        with pytest.raises(UserError, match="median_us"):
            ledger.read(path)


def test_a_ledger_that_is_not_there_is_empty(tmp_path: Path) -> None:
    """A new problem has no times yet."""
    assert ledger.read(tmp_path / "ledger.jsonl") == ()


def test_the_case_set_changes_with_the_spec(tmp_path: Path) -> None:
    """Another spec, another hash; the same spec, the same."""
    copy = tmp_path / "problem.yaml"
    copy.write_bytes(GEMM.path.read_bytes() + b"\n# a remark\n")

    assert ledger.case_set(GEMM) == ledger.case_set(spec.load("gemm_fp16"))
    assert ledger.case_set(GEMM) != ledger.case_set(replace(GEMM, path=copy))
    assert ledger.case_set(GEMM) != ledger.case_set(replace(GEMM, timed=GEMM.timed[:1]))


def test_a_time_stands_beside_the_first_rung_and_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The latest believed time of each, of the same device and size, with its date."""
    path = tmp_path / "ledger.jsonl"
    monkeypatch.setattr(ledger, "path_of", lambda slug: path)
    other = replace(
        fast("naive.cu", 99.0), device="NVIDIA A100 (compute capability 8.0, CUDA 13.0)"
    )
    doubted = made_reports.speed(replace(at(0, 1.0), doubt="less than this device needs"))
    recorded(
        path,
        fast("naive.cu", 600.0),
        fast("naive.cu", 517.6, 30000.0),
        replace(fast("naive.cu", 1.0), speed=doubted),
        fast("tiled.cu", 236.9, defines=("TILE=32",)),
        fast("baselines/cublas.cu", 9.0),
        other,
    )
    mine = fast("register_tiled.cu", 230.0, 20000.0)
    assert mine.speed is not None
    first, second = baselines.beside(mine.speed, GEMM, mine.device).timed

    assert [(one.name, one.median_us) for one in first.baselines] == [
        ("naive", 517.6),
        ("cublas", 9.0),
    ]
    assert [(one.name, one.median_us) for one in second.baselines] == [("naive", 30000.0)]
    assert first.baselines[0].date == ledger.read(path)[0].time[:10]
