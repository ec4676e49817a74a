"""judge/sanitize.py: compute-sanitizer's log as findings with their lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import cases, cli, gpu, gpucommands, gputool, sanitize, spec, toolkit
from judge.find import ROOT
from judge.model import Build, JudgeError, Place

GEMM = spec.load("gemm_fp16")
LOGS = Path(__file__).parent / "tools"


def log(name: str) -> str:
    """A log as the tool writes it."""
    return (LOGS / f"{name}.txt").read_text(encoding="utf-8")


def test_memcheck_names_file_line_kernel_and_thread() -> None:
    """Alike accesses are one finding with a count; the host's backtrace is not shown."""
    first, old, api = sanitize.parse("memcheck", log("memcheck"))

    assert first.kind == "Invalid __global__ read of size 2 bytes"
    assert first.place == Place("/home/me/no_row_guard.cu", 17)
    assert (first.kernel, first.thread, first.block) == ("gemm", "(0,5,0)", "(0,4,0)")
    assert first.count == 2
    assert first.others[0] == "Access to 0x7f1cab200a8a is out of bounds"
    assert "1 bytes after the nearest allocation" in first.others[1]
    assert (old.place, old.kernel) == (Place("/home/me/old form.cu", 21), "gemm")
    assert api.place is None
    assert "cudaErrorLaunchFailure" in api.kind


def test_racecheck_names_both_accesses() -> None:
    """The line of the write is the place, the read and the number of hazards stand below."""
    (race,) = sanitize.parse("racecheck", log("racecheck"))

    assert race.kind == "Race reported"
    assert (race.place, race.kernel) == (Place("/home/me/missing_sync.cu", 21), "gemm")
    assert "missing_sync.cu:25 [15360 hazards]" in race.others[0]


@pytest.mark.parametrize(
    ("tool", "kind", "place"),
    [
        ("synccheck", "Barrier error detected. Divergent thread(s) in block.", "divergent.cu:12"),
        ("initcheck", "Uninitialized __global__ memory read of size 4 bytes", "reads_output.cu:9"),
    ],
)
def test_the_optional_tools_are_read_too(tool: str, kind: str, place: str) -> None:
    """A divergent barrier and a read of what was never written have their lines."""
    (found,) = sanitize.parse(tool, log(tool))

    assert found.kind == kind
    assert str(found.place).endswith(place)


def test_a_clean_log_has_no_findings() -> None:
    """Nothing is invented."""
    assert sanitize.parse("memcheck", log("clean")) == ()
    assert list(sanitize.lines("memcheck", ())) == ["memcheck   clean"]


def test_a_finding_reads_as_file_and_line_first() -> None:
    """An editor can jump to it."""
    shown = list(sanitize.lines("memcheck", sanitize.parse("memcheck", log("memcheck"))))

    assert shown[0] == "memcheck   3 findings"
    assert shown[1] == "  /home/me/no_row_guard.cu:17: Invalid __global__ read of size 2 bytes"
    assert shown[2] == "    kernel gemm, thread (0,5,0) of block (0,4,0), and 1 more alike"


def test_the_cases_are_few_small_and_ragged() -> None:
    """Instrumented kernels are slow: the smallest that reach the tails, and more than one tile."""
    chosen = sanitize.pick(GEMM, cases.plan(GEMM, "0"))

    assert all(cases.work(GEMM, case) < 1e8 for case in chosen)
    least = [min(case.sizes.values()) for case in chosen]
    assert least[0] == 1
    assert least[1] > 2 * min(GEMM.tiles)
    assert least[2] > 4 * min(GEMM.tiles)
    assert all(n % min(GEMM.tiles) for case in chosen for n in case.sizes.values())


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[gputool.Told]:
    """What the tool will have told, run after run; nothing is built or run."""
    answers: list[gputool.Told] = []
    build = Build(Path("x.so"), Path("x.cu"), 0.0, True, "nvcc")
    monkeypatch.setattr(toolkit, "tool", lambda name: Path("/tools") / name)
    monkeypatch.setattr(gputool, "run", lambda *_, **__: answers.pop(0))
    monkeypatch.setattr(gpu, "compile", lambda *_: build)
    source = ROOT / "submissions" / "gemm_fp16" / "naive.cu"
    monkeypatch.setattr(gpucommands, "_files", lambda names, asked: ([source], GEMM))
    return answers


def test_a_clean_submission_ends_with_0_and_a_finding_with_1(
    watched: list[gputool.Told], capsys: pytest.CaptureFixture[str]
) -> None:
    """Both tools run, whatever the first found."""
    clean = gputool.Told(log("clean"), "", 0)
    watched += [clean, clean]
    assert cli.main(["sanitize", "naive.cu"]) == 0
    assert capsys.readouterr().out.count("clean") == 2

    watched += [gputool.Told(log("memcheck"), "", 3), clean]
    assert cli.main(["sanitize", "naive.cu"]) == 1
    assert "no_row_guard.cu:17" in capsys.readouterr().out

    watched += [clean, clean, gputool.Told(log("initcheck"), "", 0)]
    assert cli.main(["sanitize", "naive.cu", "--initcheck"]) == 1


def test_a_program_that_dies_is_not_clean(watched: list[gputool.Told], tmp_path: Path) -> None:
    """Without findings but with a bad end, the end is the finding."""
    watched.append(gputool.Told(log("clean"), "a\nb\n", -11))
    build = Build(Path("x.so"), Path("x.cu"), 0.0, True, "nvcc")
    (found,) = sanitize.check(build, GEMM, (), "memcheck", "0", tmp_path)

    assert found.kind == "the program ended with status -11"
    assert found.others == ("a", "b")


def test_a_tool_that_does_not_work_is_no_clean_bill(
    watched: list[gputool.Told], tmp_path: Path
) -> None:
    """A log without its summary is a broken tool, and its last words are told."""
    watched.append(gputool.Told("========= Error: No supported GPU\n", "", 1))
    build = Build(Path("x.so"), Path("x.cu"), 0.0, True, "nvcc")

    with pytest.raises(JudgeError, match="No supported GPU"):
        sanitize.check(build, GEMM, (), "memcheck", "0", tmp_path)
