"""judge/solve.py: the submission's `solve` is found, or what is wrong with it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import solve
from judge import spec as specs
from judge.model import CompileError, Fault, Place, Reason, Spec, Verdict

PARAMETERS = "const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta"
DECLARED = f"void solve({PARAMETERS})"
SOURCE = Path("dir/k.cu")


@pytest.fixture(scope="module")
def gemm() -> Spec:
    """The FP16 GEMM."""
    return specs.load("gemm_fp16")


def refused(text: str, spec: Spec) -> Fault:
    """Why a text is refused before any compiler runs."""
    with pytest.raises(CompileError) as raised:
        solve.find(text, SOURCE, spec)
    return raised.value.fault


def test_a_plain_solve_is_called_by_its_name(gemm: Spec) -> None:
    """With extern "C" there is nothing to remark."""
    found = solve.find(f'extern "C" {DECLARED} {{}}\n', SOURCE, gemm)

    assert found.callee == "solve"
    assert solve.notes(found) == ()


def test_a_solve_in_a_namespace_is_called_there(gemm: Spec) -> None:
    """The entry names it with its namespaces, and a note says what other judges ask for."""
    found = solve.find(f"namespace a {{ namespace b {{\n{DECLARED} {{}}\n}} }}\n", SOURCE, gemm)

    assert found.callee == "a::b::solve"
    assert solve.notes(found) == (
        'dir/k.cu:2: solve has no extern "C": accepted here; '
        "other judges look for the C symbol solve",
    )


def test_the_header_of_other_judges_makes_it_c(gemm: Spec) -> None:
    """LeetGPU's solve.h declares the function: its definition needs no extern "C"."""
    found = solve.find(f'#include "solve.h"\n{DECLARED} {{}}\n', SOURCE, gemm)

    assert solve.notes(found) == ()


def test_another_parameter_list_is_refused_at_its_line(gemm: Spec) -> None:
    """What was declared, what is expected, and the line: no compiler needed."""
    found = refused('\nextern "C" void solve(const half* A, int M) {}\n', gemm)

    assert (found.verdict, found.reason) == (Verdict.CE, Reason.SIGNATURE)
    assert found.place == Place("dir/k.cu", 2)
    assert PARAMETERS in found.message


def test_a_file_without_solve_is_refused_with_the_declaration(gemm: Spec) -> None:
    """The message is the line to be added."""
    found = refused("__global__ void k() {}\n", gemm)

    assert (found.verdict, found.reason) == (Verdict.CE, Reason.NO_SOLVE_SYMBOL)
    assert found.message == f"no function solve, expected {gemm.declaration()}"
    assert found.place == Place("dir/k.cu")


def test_a_function_that_may_be_meant_is_named(gemm: Spec) -> None:
    """`slove`, or another function with the parameters of solve."""
    found = refused(f"\n\nvoid slove({PARAMETERS}) {{}}\n", gemm)

    assert found.message.endswith("; 'slove' on line 3 may be meant: rename it")
    assert found.place == Place("dir/k.cu", 3)


@pytest.mark.parametrize(
    "text",
    [f"void f() {{\n{DECLARED} {{}}\n", f"#define S solve\nvoid S({PARAMETERS}) {{}}\n"],
    ids=["behind an open brace", "behind a macro"],
)
def test_a_solve_that_is_no_plain_declaration_is_left_to_the_compiler(
    text: str, gemm: Spec
) -> None:
    """The compiler knows better what is wrong there, or that nothing is."""
    assert solve.find(text, SOURCE, gemm).callee == "solve"


def test_what_the_compiler_refuses_is_the_signature(gemm: Spec) -> None:
    """A type known only to the compiler: both lists and its own words."""
    found = solve.find(
        f"struct X {{}};\n{DECLARED.replace('half* C', 'MYTYPE* C')} {{}}\n", SOURCE, gemm
    )

    told = solve.refused(found, gemm, ("nvcc's line",))

    assert (told.verdict, told.reason) == (Verdict.CE, Reason.SIGNATURE)
    assert told.place == Place("dir/k.cu", 2)
    assert "MYTYPE* C" in told.message
    assert gemm.declaration() in told.message
    assert told.details == ("nvcc's line",)


def test_a_refusal_without_a_declaration_is_a_missing_solve(gemm: Spec) -> None:
    """If `solve` was only a word in the text, there is none to compare."""
    found = solve.find("int a = 1; // solve\n#define S solve\n", SOURCE, gemm)

    assert solve.refused(found, gemm).reason is Reason.NO_SOLVE_SYMBOL
