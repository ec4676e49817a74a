"""The GPU backend without CUDA IPC, on the hardware: the same verdicts and times."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from judge import caseids, find, gpu, gpuspeed, gpustart, run, spec, toolkit
from judge.find import ROOT
from judge.model import CallFault, Reason, Report, Request, Speed, Verdict
from judge.report import Screen, render

pytestmark = pytest.mark.gpu

HERE = Path(__file__).parent
CORPUS = ROOT / "tests" / "submissions" / "gemm_fp16"
NOTE = "buffers by shared memory: JUDGE_GPU_BUFFERS=shared"


@pytest.fixture(autouse=True)
def forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with JUDGE_GPU_BUFFERS=shared."""
    monkeypatch.setattr(gpu.device(), "unshared", "JUDGE_GPU_BUFFERS=shared")


def judged(path: Path, *defines: str, timed: int = 0, seconds: float = 10.0) -> Report:
    """The report of the GPU backend."""
    problem = spec.load(find.problem(path, None))
    problem = replace(problem, limits=replace(problem.limits, seconds_per_call=seconds))
    return run.judge(Request(path, problem, "gpu", defines, None, "test", timed), lambda _: None)


@pytest.mark.timed
def test_control_a_right_submission_is_accepted_and_timed() -> None:
    """Every case, the time, and the judge's own clock beside it; the report says how."""
    report = judged(find.submission("register_tiled.cu"), timed=1)

    assert report.verdict is Verdict.AC, render(report, Screen())
    assert report.passed == report.planned > 40
    assert NOTE in report.notes
    assert report.speed is not None
    (timed,) = report.speed.timed
    assert timed.doubt == ""
    assert timed.cold.samples >= 20
    assert timed.warm.median_us <= timed.cold.median_us * 1.02
    assert timed.slope_us == pytest.approx(timed.cold.median_us, rel=0.1)


@pytest.mark.parametrize(
    ("name", "verdict", "reasons"),
    [
        ("wa_drops_k_tail", Verdict.WA, {Reason.MISMATCH}),
        ("wa_does_nothing", Verdict.WA, {Reason.UNWRITTEN, Reason.MISMATCH}),
        ("wa_works_once", Verdict.WA, {Reason.STALE, Reason.MISMATCH, Reason.UNWRITTEN}),
        ("wa_writes_past_end", Verdict.WA, {Reason.GUARD_OVERWRITTEN}),
        ("wa_mutates_input", Verdict.WA, {Reason.INPUT_MODIFIED}),
        ("re_reads_far_away", Verdict.RE, {Reason.OUT_OF_BOUNDS, Reason.CUDA_ERROR}),
        ("re_exit_after_work", Verdict.RE, {Reason.EXITED}),
        ("tle_spins", Verdict.TLE, {Reason.TIMEOUT}),
    ],
)
def test_a_wrong_submission_has_the_verdict_it_has_with_ipc(
    name: str, verdict: Verdict, reasons: set[Reason]
) -> None:
    """Wrong values, nothing written, guards and inputs written, lost contexts, hangs."""
    report = judged(CORPUS / f"{name}.cu", seconds=3.0)

    assert report.verdict is verdict, render(report, Screen())
    assert report.fault is not None
    assert report.fault.reason in reasons, render(report, Screen())
    assert NOTE in report.notes


def measured(file: str, problem: str, sizes: int) -> Speed:
    """The speed of a file of tests/gpu at the last sizes of a problem of tests/problems."""
    found = spec.load(HERE / "problems" / problem)
    build = gpu.compile(HERE / "gpu" / file, found, ())
    prepared = [gpuspeed.prepare(found, one, "test") for one in caseids.timed(found)[-sizes:]]
    folders = [str(folder) for folder in toolkit.library_folders()]
    return gpuspeed.measure(found, build, prepared, gpu.device(), folders, lambda _: None)


@pytest.mark.timed
def test_times_do_not_hold_the_copies() -> None:
    """Kernels that spin for 100 and 1000 us are read as long as with the judge's own memory."""
    hundred, thousand = (one.warm.median_us for one in measured("spin.cu", "spin", 2).timed)

    assert 0 <= hundred - 100 <= 5
    assert thousand - hundred == pytest.approx(900, rel=0.01)


def test_one_wrong_element_in_a_timed_call_is_found() -> None:
    """The last of two million, of a kernel that is right at every size judged before."""
    with pytest.raises(CallFault) as raised:
        measured("copy_wrong_when_large.cu", "copy", 1)

    fault = raised.value.fault
    assert (fault.verdict, fault.reason) == (Verdict.WA, Reason.MISMATCH)
    assert "1 of 2097152 elements of B wrong" in fault.message


def test_the_variable_forces_it() -> None:
    """From the command line, and a value that means nothing is a wrong use."""
    argv = [sys.executable, "-m", "judge", "run", "naive.cu", "--timed", "none"]

    def with_value(value: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, gpustart.VARIABLE: value}
        return subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True)

    accepted, refused = with_value("shared"), with_value("yes")

    assert accepted.returncode == 0, accepted.stdout + accepted.stderr
    assert NOTE in accepted.stdout
    assert refused.returncode == 2
    assert refused.stderr.startswith("judge: JUDGE_GPU_BUFFERS: got 'yes'")


def test_the_doctor_knows_which_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPC is tried by starting a worker where nothing forbids it."""
    assert gpu.buffers() == NOTE
    monkeypatch.setattr(gpu.device(), "unshared", "")
    assert gpu.buffers().startswith("buffers by ")
