"""judge/profile.py: ncu's table as the few numbers that matter, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge import cli, gpu, gpucommands, gputool, profile, spec, toolkit
from judge.find import ROOT
from judge.model import Build

GEMM = spec.load("gemm_fp16")
TABLE = (Path(__file__).parent / "tools" / "ncu.csv").read_text(encoding="utf-8")


def shown(kernel: profile.Kernel) -> dict[str, str]:
    """Lines by their label."""
    lines = list(profile.lines([kernel]))[1:]
    return {line[:12].strip(): line[13:] for line in lines}


def test_a_kernel_is_read_from_the_raw_page() -> None:
    """Names, shapes and base units; what ncu has not (`n/a`) is absent, not 0."""
    (kernel,) = profile.parse(TABLE)

    assert (kernel.name, kernel.grid, kernel.block) == ("gemm", "(32, 32, 1)", "(32, 32, 1)")
    assert kernel.values["duration_ns"] == 228032
    assert kernel.values["dram_bytes"] == 12713984
    assert "not_selected" not in kernel.values


def test_the_numbers_come_in_words() -> None:
    """Time, what limits, DRAM, occupancy, bank conflicts and the top three stalls."""
    (kernel,) = profile.parse(TABLE)
    lines = shown(kernel)

    assert next(profile.lines([kernel])) == "gemm  grid (32, 32, 1), block (32, 32, 1)"
    assert lines["time"] == "228.0 us, caches warm"
    assert lines["limit"] == "memory, from L1 to DRAM: arithmetic 45 % of peak, memory 93 %"
    assert lines["DRAM"] == "12.7 MB moved, 56 GB/s, 1 % of its peak"
    assert lines["occupancy"].endswith("; 38 registers a thread")
    assert lines["shared"].startswith("12% of the passes")
    assert "a full queue of shared memory" in lines["stalls"]
    assert len(list(profile.lines([kernel]))) == 9


@pytest.mark.parametrize(
    ("compute", "memory", "word"),
    [(20.0, 30.0, "latency"), (90.0, 30.0, "arithmetic"), (30.0, 61.0, "memory")],
)
def test_what_limits_is_the_unit_near_its_peak(compute: float, memory: float, word: str) -> None:
    """And latency, where none is."""
    (kernel,) = profile.parse(TABLE)
    values = {**kernel.values, "compute": compute, "memory": memory}

    assert shown(replace(kernel, values=values))["limit"].startswith(f"{word}")


def test_a_metric_that_a_chip_lacks_leaves_its_line_out() -> None:
    """No line of zeros."""
    lines = shown(profile.Kernel("k", "", "", {"duration_ns": 1000.0}))

    assert lines == {"time": "1.000 us, caches warm"}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[gputool.Told]:
    """What ncu will have told; nothing is built or run."""
    answers: list[gputool.Told] = []
    build = Build(Path("x.so"), Path("x.cu"), 0.0, True, "nvcc")
    monkeypatch.setattr(toolkit, "tool", lambda name: Path("/tools") / name)
    monkeypatch.setattr(gputool, "run", lambda *_, **__: answers.pop(0))
    monkeypatch.setattr(gpu, "compile", lambda *_: build)
    source = ROOT / "submissions" / "gemm_fp16" / "naive.cu"
    monkeypatch.setattr(gpucommands, "_files", lambda names, asked: ([source], GEMM))
    return answers


def test_the_command_shows_the_first_timed_size(
    told: list[gputool.Told], capsys: pytest.CaptureFixture[str]
) -> None:
    """`profile FILE` says which size, and that the call was warm."""
    told.append(gputool.Told(TABLE, "", 0))

    assert cli.main(["profile", "naive.cu"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("gemm_fp16  naive.cu  1024 x 1024 x 1024, one warm call\n")
    assert "228.0 us" in out


def test_counters_that_only_root_may_read_are_explained(
    told: list[gputool.Told], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 4, and what to change."""
    told.append(
        gputool.Told("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", "", 1)
    )

    assert cli.main(["profile", "naive.cu"]) == 4
    assert "NVreg_RestrictProfilingToAdminUsers=0" in capsys.readouterr().err


def test_a_profiler_that_saw_nothing_is_told(
    told: list[gputool.Told],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """An empty table is no profile: exit code 3 with ncu's own words."""
    from judge import broken

    monkeypatch.setattr(broken, "ROOT", tmp_path)
    told.append(gputool.Told("", "==ERROR== Failed to find metric x\n", 1))

    assert cli.main(["profile", "naive.cu"]) == 3
    assert "Failed to find metric x" in capsys.readouterr().err
