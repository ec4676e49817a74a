"""The GPU backend on the hardware: verdicts, times that can be believed, and NVIDIA's tools.

The clock is held against kernels whose time is known: they spin by the GPU's own clock, or copy.
"""

from __future__ import annotations

import contextlib
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from test_verdicts import FILES, name

from judge import cli, expectation, find, gpu, history, run, spec, toolkit
from judge.find import ROOT
from judge.model import BackendMissing, CompileError, Reason, Report, Request, Speed, Verdict
from judge.report import Screen, render

pytestmark = pytest.mark.gpu

HERE = Path(__file__).parent
SEED = "test"


@pytest.fixture(autouse=True)
def history_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests leave no line in the user's history."""
    monkeypatch.setattr(history, "PATH", tmp_path / "history.jsonl")


def judged(path: Path, *defines: str, timed: int | None = 0) -> Report:
    """The report of the GPU backend."""
    problem = spec.load(find.problem(path, None))
    request = Request(path, problem, "gpu", defines, seed=SEED, timed=timed)
    return run.judge(request, lambda progress: None)


def measured(file: str, problem: str) -> Speed:
    """The speed of a file of tests/gpu at all sizes of a problem of tests/problems."""
    found = spec.load(HERE / "problems" / problem)
    build = gpu.compile(HERE / "gpu" / file, found, ())
    return gpu.measure(build, found, SEED, None, lambda text: None)


@pytest.fixture(scope="module")
def all_built() -> None:
    """The whole corpus, compiled side by side: one by one it would take minutes.

    Where tests run side by side each compiles its own.
    """
    if "PYTEST_XDIST_WORKER" in os.environ:
        return

    def build(path: Path) -> None:
        with contextlib.suppress(CompileError):
            gpu.compile(path, spec.load(find.problem(path, None)), ())

    build(FILES[0])  # and with it what all of them need
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
        list(pool.map(build, FILES))


@pytest.mark.usefixtures("all_built")
@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_hardware_agrees_with_the_emulation(path: Path) -> None:
    """Both backends give a submission the same verdict, but where its file says otherwise."""
    expected = expectation.read(path, gpu=True)
    problem = spec.load(find.problem(path, None))
    if expected.verdict is Verdict.TLE:  # what never ends shows so after 3 s as well as after 10
        problem = replace(problem, limits=replace(problem.limits, seconds_per_call=3.0))
    request = Request(path, problem, "gpu", (), seed=SEED, timed=0)
    report = run.judge(request, lambda progress: None)
    reason = report.fault.reason if report.fault else Reason.ACCEPTED

    assert expected.met(report.verdict, reason), render(report, Screen())


@pytest.mark.timed
def test_an_accepted_submission_has_a_speed() -> None:
    """Register tiles at 1024: a time, its kernel, and what the device could do at best."""
    report = judged(find.submission("register_tiled.cu"), timed=1)

    assert report.verdict is Verdict.AC, render(report, Screen())
    assert report.speed is not None
    (timed,) = report.speed.timed
    assert 50 < timed.cold.median_us < 2000
    assert timed.warm.median_us <= timed.cold.median_us * 1.02
    assert timed.slope_us == pytest.approx(timed.cold.median_us, rel=0.05)
    assert timed.cold.samples >= 20
    assert timed.doubt == ""
    assert 0 < timed.roofline < 1
    (kernel,) = report.speed.kernels
    assert (kernel.name.partition("(")[0], kernel.count) == ("gemm", 1)
    assert kernel.registers > 0
    assert kernel.occupancy is not None
    assert kernel.occupancy.blocks > 0


def test_a_block_of_4096_threads_is_explained() -> None:
    """TILE 64 asks for more threads than a block may have: RE, with both numbers."""
    report = judged(find.submission("tiled.cu"), "TILE=64")

    assert report.fault is not None
    assert (report.verdict, report.fault.reason) == (Verdict.RE, Reason.LAUNCH_LIMITS)
    assert "4096" in report.fault.message
    assert "1024" in report.fault.message


@pytest.fixture(scope="module")
def spins() -> Speed:
    """Spins of 20, 100 and 1000 us."""
    return measured("spin.cu", "spin")


@pytest.mark.timed
@pytest.mark.parametrize(("number", "us"), [(0, 20), (1, 100), (2, 1000)])
def test_a_kernel_that_spins_is_read_as_long_as_it_spins(
    spins: Speed, number: int, us: int
) -> None:
    """Within 1 us or 1 %, beside what an empty call and the start of a kernel read."""
    timed = spins.timed[number]

    assert 0 <= timed.warm.median_us - us <= timed.overhead_us + max(1.0, us / 100) + 2.0
    assert not timed.warm.noisy


@pytest.mark.timed
def test_longer_spins_are_longer_by_what_they_spin_longer(spins: Speed) -> None:
    """What every call costs falls out of a difference: 80 and 900 us within 1 us or 1 %."""
    first, second, third = (one.warm.median_us for one in spins.timed)

    assert second - first == pytest.approx(80, abs=1.0)
    assert third - second == pytest.approx(900, rel=0.01)


@pytest.mark.timed
def test_a_copy_reads_most_of_the_bandwidth_cold_and_more_warm() -> None:
    """A roofline of 60 to 100 % where memory is the limit; a cache within reach is faster."""
    large, small = measured("copy.cu", "copy").timed

    assert 0.6 <= large.roofline <= 1.0
    assert small.warm.median_us < small.cold.median_us
    assert large.doubt == ""


def word(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The first word that `compare` prints."""
    assert cli.main(["compare", *arguments]) == 0
    return capsys.readouterr().out.split()[0]


@pytest.mark.timed
def test_a_submission_is_not_faster_than_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """A/A: SAME, or UNSURE on a restless machine."""
    assert word(capsys, "register_tiled.cu", "register_tiled.cu") in ("SAME", "UNSURE")


@pytest.mark.timed
def test_register_tiles_are_faster_than_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    """At 4096, where there is enough to do for every multiprocessor."""
    assert word(capsys, "tiled.cu", "register_tiled.cu", "--size", "2") == "FASTER"


@pytest.mark.timed
def test_two_percent_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    """An injected slow-down of 20 us in 1000 us is SLOWER, and the other way round FASTER."""
    problem = str(HERE / "problems" / "spin")
    files = [str(HERE / "gpu" / f"{stem}.cu") for stem in ("spin", "spin_2_percent_longer")]
    more = ["--problem", problem, "--size", "3"]

    assert word(capsys, *files, *more) == "SLOWER"
    assert word(capsys, *reversed(files), *more) == "FASTER"


def test_compare_refuses_what_is_not_right(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong kernel can be as fast as it likes."""
    wrong = str(ROOT / "tests/submissions/gemm_fp16/wa_zeros.cu")

    assert cli.main(["compare", "naive.cu", wrong]) == 1
    assert "WA" in capsys.readouterr().out


def needs(tool: str) -> None:
    """Skip, with the reason, where a tool of the toolkit is not installed."""
    try:
        toolkit.tool(tool)
    except BackendMissing as missing:
        pytest.skip(str(missing))


def test_the_sanitizer_names_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A missing guard of rows: file and line; the fixed kernel is clean."""
    needs("compute-sanitizer")
    path = ROOT / "tests/submissions/gemm_fp16/re_no_row_guard.cu"

    assert cli.main(["sanitize", str(path)]) == 1
    assert re.search(r"re_no_row_guard\.cu:\d+: Invalid __global__", capsys.readouterr().out)
    assert cli.main(["sanitize", "naive.cu"]) == 0


def test_the_sanitizer_finds_a_race_in_shared_memory(capsys: pytest.CaptureFixture[str]) -> None:
    """A missing barrier between tiles."""
    needs("compute-sanitizer")
    path = ROOT / "tests/submissions/gemm_fp16/wa_missing_second_sync.cu"

    assert cli.main(["sanitize", str(path)]) == 1
    assert re.search(r"wa_missing_second_sync\.cu:\d+: Race", capsys.readouterr().out)


@pytest.mark.timed
def test_the_profiler_says_what_limits(capsys: pytest.CaptureFixture[str]) -> None:
    """Time and limit of the tiled kernel; where counters are closed, how to open them."""
    needs("ncu")
    code = cli.main(["profile", "tiled.cu"])
    captured = capsys.readouterr()

    assert code in (0, 4)
    assert ("limit" in captured.out) if code == 0 else ("ERR_NVGPUCTRPERM" in captured.err)
