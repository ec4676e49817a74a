"""What an output holds before a call: poison, zeros, or numbers as an old result would leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from judge import cases, checker, cpu, gauge, jsonl, reference, run
from judge import spec as specs
from judge.compare import poison
from judge.elements import encode
from judge.model import (
    Argument,
    CallData,
    Check,
    Distribution,
    Dtype,
    Family,
    Init,
    Outcome,
    Reason,
    Report,
    Request,
    Role,
    Spec,
    Tolerance,
    Verdict,
)
from judge.report import Screen, render

DOT = specs.load(Path(__file__).parent / "specs" / "valid" / "dot_product.yaml")
SOLVE = 'extern "C" void solve(const float* A, const float* B, float* result, int N)'
ADDS = f"""
__global__ void dot(const float* A, const float* B, float* result, int N) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(result, A[i] * B[i]);
}}
{SOLVE} {{ dot<<<(N + 63) / 64, 64>>>(A, B, result, N); }}
"""


def begun(init: Init) -> Spec:
    """The dot product with another init."""
    signature = tuple(
        replace(one, init=init) if one.name == "result" else one for one in DOT.signature
    )
    return replace(DOT, signature=signature)


def judged(code: str, init: Init, folder: Path, spec: Spec | None = None) -> Report:
    """What the CPU backend says of a submission, without a check beside it."""
    source = folder / "dot.cu"
    source.write_text(code, encoding="utf-8")
    with mock.patch.object(cpu, "check", None):
        return run.judge(
            Request(source, spec or begun(init), "cpu", seed="1"), lambda progress: None
        )


def called(init: Init, round_: int = 0) -> CallData:
    """A call of 100 elements."""
    spec = begun(init)
    return cases.make(spec, cases.parse_id(spec, "normal,N=100"), "1", round_)


def checked(init: Init, output: float | None) -> Check:
    """The check of a call that left this number, or the output as it was."""
    data, spec = called(init), begun(init)
    left = data.before(spec.argument("result"))
    if left is None:
        left = poison(Dtype.FLOAT32).copy()
    stored = left if output is None else encode(np.array([output]), Dtype.FLOAT32)
    outcome = Outcome(returned=True, outputs={"result": stored})
    return checker.check(spec, data, reference.expected(spec, data), outcome)


def test_the_default_is_poison() -> None:
    """A spec that says nothing of it wants every element written."""
    gemm = specs.load("gemm_fp16")

    assert {argument.init for argument in gemm.signature} == {Init.POISON}
    assert DOT.argument("result").init is Init.ZERO
    assert called(Init.POISON).initial == {}


def test_zero_and_random_are_made_with_the_inputs() -> None:
    """Zeros, or finite numbers that differ between rounds and repeat with the seed."""
    first, second = called(Init.RANDOM, 0).initial, called(Init.RANDOM, 1).initial

    assert called(Init.ZERO).initial["result"].tolist() == [0.0]
    assert np.isfinite(first["result"]).all()
    assert first["result"] != second["result"]
    assert first["result"] == called(Init.RANDOM, 0).initial["result"]
    assert set(called(Init.ZERO).arrays) == {"A", "B"}


def test_what_an_output_holds_moves_no_other_byte() -> None:
    """The inputs of a case are the same whatever the output begins with."""
    for name in ("A", "B"):
        first, *others = (called(init).arrays[name].tobytes() for init in Init)
        assert all(other == first for other in others)


@pytest.mark.parametrize(
    ("init", "message"),
    [
        (Init.POISON, "the only element never written (init: poison)"),
        (Init.ZERO, "the only element left at zero (init: zero)"),
        (Init.RANDOM, "the only element left as found (init: random)"),
    ],
)
def test_an_output_left_as_it_began_is_unwritten(init: Init, message: str) -> None:
    """Reason `unwritten`, and the sentence names the init."""
    fault = checked(init, None).fault

    assert fault is not None
    assert (fault.verdict, fault.reason, fault.message) == (
        Verdict.WA,
        Reason.UNWRITTEN,
        message,
    )


def test_zero_is_an_answer_where_the_output_began_as_zero() -> None:
    """Nothing to write is nothing wrong, unlike with poison, which is never an answer."""
    data = called(Init.ZERO)
    data = replace(data, arrays={name: np.zeros_like(a) for name, a in data.arrays.items()})
    expected = reference.expected(DOT, data)
    outcome = Outcome(returned=True, outputs={"result": np.zeros(1, np.float32)})

    assert checker.check(DOT, data, expected, outcome).fault is None


@pytest.mark.parametrize("init", list(Init))
def test_the_gauge_refuses_an_output_that_was_not_written(init: Init) -> None:
    """Whatever it began with."""
    spec = begun(init)
    rows = gauge.gauge(spec, [cases.parse_id(spec, "normal,N=100")], "1")
    (left,) = (row for row in rows if row.name == "never written")

    assert left.applicable
    assert not left.accepted
    assert gauge.verdicts(rows) == ()


def test_adding_to_an_output_is_right_where_it_begins_as_zero(tmp_path: Path) -> None:
    """init: zero is what a submission that never zeroes its output needs, and no doubt is left."""
    source = tmp_path / "dot.cu"
    source.write_text(ADDS, encoding="utf-8")
    report = run.judge(Request(source, begun(Init.ZERO), "cpu"), lambda progress: None)

    assert report.verdict is Verdict.AC
    assert not any("uninitialised" in note for note in report.notes)


@pytest.mark.parametrize(
    ("init", "begins"),
    [
        (Init.POISON, "it begins as poison (init: poison)"),
        (Init.RANDOM, "it begins with other numbers (init: random)"),
    ],
)
def test_adding_to_an_output_that_is_not_zero_is_told(
    init: Init, begins: str, tmp_path: Path
) -> None:
    """The cause, not what it looks like, which is an output never written."""
    fault = judged(ADDS, init, tmp_path).fault

    assert fault is not None
    assert (fault.verdict, fault.reason) == (Verdict.WA, Reason.NOT_ZEROED)
    assert fault.message == f"result is added to, but was never set to zero: {begins}"
    assert not any("never written" in line for line in fault.details)


def test_adding_is_told_of_a_single_case_too(tmp_path: Path) -> None:
    """Where one case was asked for, as the command beside a verdict does."""
    source = tmp_path / "dot.cu"
    source.write_text(ADDS, encoding="utf-8")
    request = Request(source, begun(Init.POISON), "cpu", case="normal,N=33", seed="1")

    fault = run.judge(request, lambda progress: None).fault

    assert fault is not None
    assert fault.reason is Reason.NOT_ZEROED


@pytest.mark.parametrize("dtype", [Dtype.INT32, Dtype.UINT32])
def test_counting_into_poison_is_told(dtype: Dtype, tmp_path: Path) -> None:
    """Integers wrap around: what was there plus the count is what comes out."""
    signature = (
        Argument("input", Dtype.INT32, Role.IN, ("N",)),
        Argument("output", dtype, Role.OUT, ("4",)),
        Argument("N", Dtype.INT32, Role.AXIS),
    )
    family = Family("some", 1, {"input": Distribution("integers", (0, 3))})
    text = "sum(reshape(input, N, 1) == arange(4), 0)"
    spec = replace(
        DOT,
        signature=signature,
        families=(family,),
        reference={"output": text},
        tolerance={"output": Tolerance("exact")},
    )
    source = tmp_path / "count.cu"
    source.write_text(
        f"""
__global__ void count(const int* input, {dtype.c_type}* output, int N) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(&output[input[i]], 1);
}}
extern "C" void solve(const int* input, {dtype.c_type}* output, int N) {{
    count<<<(N + 63) / 64, 64>>>(input, output, N);
}}
""",
        encoding="utf-8",
    )

    fault = run.judge(Request(source, spec, "cpu", seed="1"), lambda progress: None).fault

    assert fault is not None
    assert fault.message == (
        "output is added to, but was never set to zero: it begins as poison (init: poison)"
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", Reason.UNWRITTEN),
        ("if (i == 0) *result = 1;", Reason.MISMATCH),
        ("if (i == 0) *result = *result * 2;", Reason.UNWRITTEN),
    ],
)
def test_other_mistakes_are_not_taken_for_adding(body: str, reason: Reason, tmp_path: Path) -> None:
    """Nothing written, something else written, or what was there changed in another way."""
    code = ADDS.replace("if (i < N) atomicAdd(result, A[i] * B[i]);", body)

    fault = judged(code, Init.POISON, tmp_path).fault

    assert fault is not None
    assert fault.reason is reason


def test_zeros_left_out_are_told(tmp_path: Path) -> None:
    """A submission that writes only what is not zero counts on zeros being there."""
    path = Path(__file__).parent / "specs" / "valid" / "vector_add.yaml"
    spec = replace(specs.load(path), reference={"C": "maximum(A, 0) + 0 * B"})
    source = tmp_path / "relu.cu"
    names = ", ".join(one.declaration() for one in spec.signature)
    source.write_text(
        f"""
__global__ void relu(const float* A, float* C, int N) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && A[i] > 0) C[i] = A[i];
}}
extern "C" void solve({names}) {{ relu<<<(N + 63) / 64, 64>>>(A, C, N); }}
""",
        encoding="utf-8",
    )
    request = Request(source, spec, "cpu", case="normal,N=1009", seed="1")

    fault = run.judge(request, lambda progress: None).fault

    assert fault is not None
    assert fault.reason is Reason.UNWRITTEN
    assert any("has the right answer 0" in line for line in fault.details)


def test_a_report_names_what_outputs_began_with(tmp_path: Path) -> None:
    """On the screen where it is not poison, and in the JSON always."""
    report = judged(ADDS, Init.ZERO, tmp_path)

    assert "  init     result: zero before each call\n" in render(report, Screen())
    assert jsonl.as_dict(report)["init"] == {"result": "zero"}
    assert "  init  " not in render(replace(report, init={"result": "poison"}), Screen())


def test_a_submission_that_sets_its_output_is_right_whatever_it_began_with(tmp_path: Path) -> None:
    """Writing before adding needs no init at all."""
    code = ADDS.replace("{ dot<<<", "{ cudaMemset(result, 0, sizeof(float)); dot<<<")

    assert [judged(code, init, tmp_path).verdict for init in Init] == [Verdict.AC] * 3
