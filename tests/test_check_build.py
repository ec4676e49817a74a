"""The check build: planted mistakes are found at their lines, and nothing is found that is right.

A program of tests/check copies A to B; a line that a finding must name ends in `// finding: KIND`.
"""

from __future__ import annotations

import ctypes
import json
import re
from pathlib import Path

import pytest

from judge import (
    allocators,
    caseids,
    cases,
    cli,
    cpubuild,
    findings,
    kernelcheck,
    prebuilt,
    run,
    spec,
)
from judge.find import ROOT
from judge.kernelcheck import Checked
from judge.model import CompileError, Mistake, Place, Reason, Report, Request, Verdict
from judge.notes import parse
from judge.symbols import Symbols

HERE = Path(__file__).resolve().parent
COPY = spec.load(str(HERE / "problems" / "copy"))
GEMM = spec.load("gemm_fp16")
PROGRAMS = sorted((HERE / "check").glob("*.cu"))
PLANTED = [path for path in PROGRAMS if not path.stem.startswith("ok_")]
CONTROLS = [path for path in PROGRAMS if path.stem.startswith("ok_")]
SUBMISSIONS = [
    *sorted((ROOT / "submissions").glob("*/*.cu")),
    *(
        path
        for path in sorted((HERE / "submissions").glob("*/ac_*.cu"))
        if path.parent.name in spec.slugs()
    ),
]
SEED = "7"


def checked(path: Path) -> Checked:
    """What a check of a program finds, on one ragged size."""
    build = cpubuild.compile(path, COPY, (), check=True)
    return kernelcheck.run(build, COPY, [caseids.parse_id(COPY, "normal,N=1000")], SEED)


def marked(path: Path) -> set[tuple[str, int]]:
    """The kinds and lines of the `// finding:` marks."""
    marks = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.search(r"// finding: (.*)$", line)
        marks |= {(kind, number) for kind in match[1].split(", ")} if match else set()
    return marks


def told(found: Checked) -> set[tuple[str, int]]:
    """The kinds and lines of the findings, of both accesses of a race."""
    return {
        (one.mistake.value, place.line)
        for one in found.findings
        for place in (one.place, one.other, *_lines_of(one.details))
        if place is not None
    }


def _lines_of(details: tuple[str, ...]) -> list[Place]:
    """The lines that a divergent barrier's other threads wait at."""
    found = [re.fullmatch(r"the other threads: (.*):(\d+)", line) for line in details]
    return [Place(match[1], int(match[2])) for match in found if match]


def test_there_are_enough_mistakes() -> None:
    """Forty kinds of them, and a right program of the same shape for many."""
    assert len(PLANTED) >= 40
    assert len(CONTROLS) >= 15


@pytest.mark.parametrize("path", CONTROLS, ids=lambda path: path.stem)
def test_control_nothing_is_found_in_a_right_program(path: Path) -> None:
    """A false report would cost more trust than a missed one."""
    found = checked(path)

    assert found.fault is None
    assert found.findings == ()


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_control_nothing_is_found_in_a_right_submission(path: Path) -> None:
    """Every submission of the repository that the CPU backend runs is clean."""
    problem = spec.load(path.parent.name)
    try:
        build = cpubuild.compile(path, problem, (), check=True)
    except CompileError as error:
        if error.fault.reason is Reason.UNSUPPORTED:
            return
        raise
    chosen = kernelcheck.pick(problem, cases.plan(problem, SEED))
    found = kernelcheck.run(build, problem, chosen, SEED)

    assert found.fault is None
    assert found.findings == ()


@pytest.mark.parametrize("path", PLANTED, ids=lambda path: path.stem)
def test_a_planted_mistake_is_found_at_its_line(path: Path) -> None:
    """The kind and the line of every finding are those of the marks: all of them, and no others."""
    assert told(checked(path)) == marked(path)


def test_the_corpus_is_large() -> None:
    """There are at least 25 planted mistakes, of every kind that the check build knows."""
    kinds = {kind for path in PLANTED for kind, _ in marked(path)}

    assert len(PLANTED) >= 25
    assert kinds == {mistake.value for mistake in Mistake} - {"error"}


def test_a_race_names_both_threads_and_the_array() -> None:
    """Kernel, block, both threads, the array and both lines stand in one sentence."""
    found = checked(HERE / "check" / "race_missing_second_barrier.cu").findings[0]

    assert re.fullmatch(
        r"thread \(\d+,0,0\) of block \(0,0,0\) of k (reads|writes) bytes \d+\.\.\d+ of s \("
        r"shared memory of 512 bytes\), which thread \(\d+,0,0\) (reads|writes) at \S+:\d+, "
        r"with no barrier between: a __syncthreads\(\) is missing",
        found.message,
    )


def test_an_overrun_names_the_element_of_the_array() -> None:
    """The buffer has the name of the signature; the offset is in bytes and as an index."""
    path = HERE / "submissions" / "gemm_fp16" / "re_no_row_guard.cu"
    build = cpubuild.compile(path, GEMM, (), check=True)
    case = caseids.parse_id(GEMM, "normal,M=65,N=33,K=17,alpha=1,beta=0")
    (found,) = kernelcheck.run(build, GEMM, [case], SEED).findings

    assert re.search(
        r"2 bytes at byte \d+ of A, which has 2210 bytes: (just|\d+ bytes) past its end",
        found.message,
    )
    assert re.fullmatch(r"that is A\[\d+\]\[\d+\], and A is 65 x 17", found.details[0])


def judged(name: str, case: str | None = None) -> Report:
    """The report on a submission to the GEMM."""
    path = HERE / "submissions" / "gemm_fp16" / name
    return run.judge(Request(path, GEMM, "cpu", case=case, seed=SEED), lambda progress: None)


def test_a_wrong_answer_gets_the_line_of_its_cause() -> None:
    """The verdict and its reason stay; the details and the place are the check's."""
    report = judged("wa_missing_second_sync.cu", "normal,M=65,N=33,K=65,alpha=1,beta=0")
    assert report.fault is not None

    assert (report.verdict, report.fault.place and report.fault.place.line) == (Verdict.WA, 24)
    assert any(line.startswith("check: ") for line in report.fault.details)


def test_a_wrong_answer_without_such_a_cause_stays_as_it_is() -> None:
    """Where the arithmetic is wrong the check has nothing to say."""
    report = judged("wa_ignores_alpha.cu", "normal,M=65,N=33,K=17,alpha=0.5,beta=0")
    assert report.fault is not None

    assert report.fault.place is None
    assert not any("check:" in line for line in report.fault.details)


def test_an_accepted_run_with_a_race_is_doubted(tmp_path: Path) -> None:
    """A kernel that is right by luck passes, and a note says so."""
    lucky = tmp_path / "lucky.cu"
    source = (ROOT / "submissions" / "gemm_fp16" / "naive.cu").read_text(encoding="utf-8")
    race = "__shared__ int s[16]; s[threadIdx.x] = 1; if (!s[threadIdx.x ^ 1]) return;\n"
    head = re.search(r"__global__[^{]*\{", source)
    assert head is not None
    lucky.write_text(source[: head.end()] + race + source[head.end() :], encoding="utf-8")
    report = run.judge(Request(lucky, GEMM, "cpu", seed=SEED), lambda progress: None)

    assert report.verdict is Verdict.AC
    assert report.notes[0].startswith(f"passes, but {lucky}:")
    assert "lanes of one warp" in report.notes[0]
    assert report.notes[0].count(f"{lucky}:") == 2  # the lines of both accesses
    assert report.notes[0].endswith("; on a GPU the order may be another, and the answer with it")


def test_a_race_says_which_barrier_is_missing(tmp_path: Path) -> None:
    """Within a warp a __syncwarp() is enough, whatever the block's shape; between warps not."""
    text = (HERE / "check" / "race_in_a_warp.cu").read_text(encoding="utf-8")
    path = tmp_path / "copy.cu"
    missing = {"t ^ 1": "a __syncwarp() is missing", "t ^ 32": "a __syncthreads() is missing"}
    for other, said in missing.items():
        wide = text.replace("s[32]", "s[64]").replace("t ^ 1", other)
        wide = wide.replace("<<<1, 32>>>", "<<<1, dim3(4, 8, 2)>>>").replace(
            "t = threadIdx.x;", "t = threadIdx.x + 4 * (threadIdx.y + 8 * threadIdx.z);"
        )
        path.write_text(wide, encoding="utf-8")

        races = [one for one in checked(path).findings if one.mistake is Mistake.RACE]
        assert races
        assert all(one.message.endswith(said) for one in races)


@pytest.mark.parametrize(
    ("name", "code", "shown"),
    [
        ("ac_split_k_atomics.cu", 0, "clean: no finding"),
        ("wa_split_k_race.cu", 1, "race"),
        ("wa_ignores_alpha.cu", 1, "but not accepted"),
        ("re_misaligned_half2.cu", 1, "not a multiple of the size of the access"),
        ("ce_syntax.cu", 1, ""),
    ],
)
def test_the_command_says_by_its_exit_code_whether_it_found_something(
    name: str, code: int, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 is clean and right, 1 is not."""
    file = str(HERE / "submissions" / "gemm_fp16" / name)

    assert cli.main(["check", file, "--seed", SEED]) == code
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize("kind", [prebuilt.CHECKING, prebuilt.LOCKSTEP])
def test_the_runtimes_have_every_allocator_that_is_wrapped(kind: str) -> None:
    """A submission that calls one of them would not link otherwise."""
    library = ctypes.CDLL(str(prebuilt.runtime_library(kind)))

    assert [name for name in allocators.NAMES if not hasattr(library, f"__wrap_{name}")] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("host_malloc", "reads memory of the host, 16 bytes of malloc, new or a std::vector"),
        ("host_malloc", "allocated at line 9: use cudaMalloc and cudaMemcpy"),
        ("race_device_counter", r"(?:reads|writes) __device__ counter \(4 bytes\), which thread"),
        (
            "constant_written",
            r"\d+\.\.\d+ of __constant__ weights \(16 bytes\): kernels only",
        ),
        ("host_uses", r"host code writes __device__ limit \(4 bytes\): on a GPU host"),
    ],
)
def test_memory_goes_by_its_name(name: str, said: str) -> None:
    """What was allocated by its line, a variable by its name and kind."""
    (path,) = (HERE / "check").glob(f"{name}*.cu")

    assert re.search(said, checked(path).findings[0].message)


def test_a_note_of_no_known_reason_is_dropped(tmp_path: Path) -> None:
    """The submission can write notes too: what is not well formed says nothing."""
    note = json.dumps({"kind": "finding", "reason": "nonsense"}).encode() + b"\n"
    symbols = Symbols(tmp_path / "none.so", tmp_path / "k.cu")

    assert findings.read(parse(note), symbols, {}) == ()
