"""Libraries that a problem bans: seen in the source, when it is loaded, and after its calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge import banned, run, solve
from judge import spec as specs
from judge.model import CompileError, Reason, Report, Request, Verdict

DOT = specs.load(Path(__file__).parent / "specs" / "valid" / "dot_product.yaml")
SOLVE = 'extern "C" void solve(const float* A, const float* B, float* result, int N)'
RIGHT = f"""
__global__ void dot(const float* A, const float* B, float* result, int N) {{
    float sum = 0;
    for (int i = 0; i < N; i++) sum += A[i] * B[i];
    *result = sum;
}}
{SOLVE} {{ dot<<<1, 1>>>(A, B, result, N); }}
"""
# Of glibc, and nothing loads it unasked: it stands for a library that a problem bans.
STAND_IN = "libanl.so.1"


def judged(code: str, folder: Path) -> Report:
    """The report of the CPU backend on a problem that bans a few libraries."""
    source = folder / "dot.cu"
    source.write_text(code, encoding="utf-8")
    spec = replace(DOT, banned=("cublas", "thrust", "npp"))
    return run.judge(Request(source, spec, "cpu", seed="1"), lambda progress: None)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in counts as one of the banned."""
    monkeypatch.setitem(banned.LIBRARIES, "npp", (("libanl",), ("npp",)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "library"),
    [
        ("#include <cublas_v2.h>", "cublas"),
        ('  #  include "cublasLt.h"', "cublas"),
        ("#include <thrust/reduce.h>", "thrust"),
    ],
)
def test_a_banned_header_is_refused_with_its_line(line: str, library: str, tmp_path: Path) -> None:
    """CE, with a reason of its own, before anything is compiled."""
    report = judged(f"// mine\n{line}\n{RIGHT}", tmp_path)

    assert report.fault is not None
    assert (report.verdict, report.fault.reason) == (Verdict.CE, Reason.BANNED)
    assert f"this problem bans {library}" in report.fault.message
    assert report.fault.place is not None
    assert report.fault.place.line == 2


@pytest.mark.parametrize(
    "line", ["// #include <cublas_v2.h>", "/*\n#include <cublas_v2.h>\n*/", ""]
)
def test_a_comment_uses_nothing(line: str, tmp_path: Path) -> None:
    """Nor does any other header."""
    spec = replace(DOT, banned=("cublas",))

    assert solve.find(f"{line}\n#include <cstdio>\n{RIGHT}", tmp_path / "a.cu", spec).declared


def test_a_problem_that_bans_nothing_allows_all(tmp_path: Path) -> None:
    """The list is the problem's."""
    code = f"#include <cublas_v2.h>\n{RIGHT}"

    assert solve.find(code, tmp_path / "a.cu", DOT).declared
    with pytest.raises(CompileError):
        solve.find(code, tmp_path / "a.cu", replace(DOT, banned=("cublas",)))


def test_an_honest_submission_is_not_troubled(stand_in: None, tmp_path: Path) -> None:
    """What the judge's own worker loads is not banned."""
    assert judged(RIGHT, tmp_path).verdict is Verdict.AC


def test_a_library_loaded_in_a_call_is_found(stand_in: None, tmp_path: Path) -> None:
    """RE, though every answer is right: the system tells what the process has mapped."""
    code = "#include <dlfcn.h>\n" + RIGHT.replace("dot<<<", f'dlopen("{STAND_IN}", 1); dot<<<')

    fault = judged(code, tmp_path).fault

    assert fault is not None
    assert (fault.verdict, fault.reason) == (Verdict.RE, Reason.BANNED)
    assert fault.message.startswith(f"{STAND_IN} is loaded; this problem bans npp")


def test_a_library_loaded_with_the_submission_is_found(stand_in: None, tmp_path: Path) -> None:
    """CE: it is there before the first call."""
    early = f'static void *early = dlopen("{STAND_IN}", 1);\n'

    fault = judged("#include <dlfcn.h>\n" + early + RIGHT, tmp_path).fault

    assert fault is not None
    assert (fault.verdict, fault.reason) == (Verdict.CE, Reason.BANNED)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/usr/local/cuda/lib64/libcublas.so.12.4", ("cublas", "libcublas.so.12.4")),
        ("libcublasLt.so.12", ("cublas", "libcublasLt.so.12")),
        ("/home/libcublas/libmine.so", None),
        ("/usr/lib/libcudart.so.12", None),
    ],
)
def test_a_library_is_known_by_its_file(path: str, found: tuple[str, str] | None) -> None:
    """Whatever its version and wherever it lies."""
    assert banned.loaded([path], ("cudnn", "cublas", "cub")) == found
