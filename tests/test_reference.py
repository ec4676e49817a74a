"""The right answer: exact where it can be, in float64 otherwise, never beyond the output type."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_spec import BASE, write

from judge import cases, elements, reference, spec
from judge.model import CallData, Dtype, SpecError

SPECS = Path(__file__).parent / "specs" / "valid"
GEMM = spec.load("gemm_fp16")


def made(case_id: str, seed: str = "0") -> CallData:
    """The inputs of a case of FP16 GEMM."""
    return cases.make(GEMM, cases.parse_id(GEMM, case_id), seed)


def test_gemm_is_what_three_loops_say() -> None:
    """alpha * A * B + beta * C, element by element, from the inputs as stored."""
    data = made("normal,M=3,N=4,K=5,alpha=-1.25,beta=0.5")
    a, b, c = (data.arrays[name].astype(np.float64).tolist() for name in "ABC")
    answer = reference.expected(GEMM, data)["C"]

    for i in range(3):
        for j in range(4):
            terms = [a[i][k] * b[k][j] for k in range(5)]
            value = -1.25 * sum(terms) + 0.5 * c[i][j]
            g = 1.25 * sum(map(abs, terms)) + 0.5 * abs(c[i][j])
            gamma = (8 * 5**0.5 + 5 / 8) * 2**-24
            bound = 1.05 * (2**-11 * abs(value) + (1 + 2**-11) * gamma * g + 2**-25)
            assert answer.value[i, j] == pytest.approx(value, rel=1e-13)
            assert answer.allowed[i, j] == pytest.approx(bound, rel=1e-12)


def test_every_planned_case_has_an_answer_that_float_sums_reach() -> None:
    """The float32 product of each case, rounded to half, is within the allowed error."""
    for case in cases.plan(GEMM, "3", 1e7):
        data = cases.make(GEMM, case, "3", 1)
        a, b, c = (data.arrays[name].astype(np.float32) for name in "ABC")
        alpha, beta = np.float32(case.scalars["alpha"]), np.float32(case.scalars["beta"])
        answer = reference.expected(GEMM, data)["C"]

        out = (alpha * (a @ b) + beta * c).astype(np.float16)

        assert answer.value.shape == answer.allowed.shape == out.shape, case.id
        assert np.isfinite(out).all(), case.id
        assert (np.abs(out - answer.value) <= answer.allowed).all(), case.id


def test_exact_families_allow_no_error_and_round_once() -> None:
    """Integers give integers; more ones than a half can count give the nearest half."""
    answer = reference.expected(GEMM, made("integers,M=9,N=8,K=100,alpha=1,beta=1"))["C"]
    assert not answer.allowed.any()
    assert (answer.value == np.rint(answer.value)).all()

    ones = reference.expected(GEMM, made("ones,M=1,N=1,K=2500,alpha=1,beta=0"))["C"]
    assert ones.value.tolist() == [[2500]]
    odd = reference.expected(GEMM, made("ones,M=1,N=1,K=2501,alpha=1,beta=0"))["C"]
    assert odd.value.tolist() == [[2500]]


def test_one_hot_answers_name_an_element_of_b() -> None:
    """Each element of C is one of B in its own column, and B's are all different."""
    data = made("one_hot,M=40,N=50,K=30,alpha=1,beta=0")
    b = data.arrays["B"].astype(np.float64)
    answer = reference.expected(GEMM, data)["C"]

    assert len(np.unique(b)) == b.size
    for j in range(50):
        assert set(answer.value[:, j]) == set(b[:, j])


def test_large_sums_pass_the_largest_half_and_come_back() -> None:
    """Without alpha they would be infinite in half; with it they are not."""
    data = made("large,M=5,N=6,K=400,alpha=0.015625,beta=0")
    product = data.arrays["A"].astype(np.float64) @ data.arrays["B"].astype(np.float64)

    assert product.min() > elements.largest(Dtype.FLOAT16)
    assert reference.expected(GEMM, data)["C"].value.max() < elements.largest(Dtype.FLOAT16) / 2


def test_results_beyond_the_output_type_are_refused() -> None:
    """The spec is told which family and case overflow; nothing infinite is expected."""
    data = made("large,M=2,N=2,K=512,alpha=0.015625,beta=0")
    arrays = {**data.arrays, "A": np.full((2, 512), 120, dtype=np.float16)}

    with pytest.raises(
        SpecError, match=r"families\.large: got sums of up to .* for C in large,M=2"
    ):
        reference.expected(GEMM, replace(data, arrays=arrays))


def test_the_answer_of_a_middle_case_is_fast() -> None:
    """129 x 131 x 127 takes a few milliseconds: the best of five, with room for a busy machine."""
    data = made("normal,M=129,N=131,K=127,alpha=0.5,beta=0.5")
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        reference.expected(GEMM, data)
        times.append(time.perf_counter() - begin)

    assert min(times) < 0.015


def test_scalars_are_what_their_type_makes_of_them() -> None:
    """0.1 passed as float is 0.100000001490116..., and the answer says so."""
    problem = spec.load(SPECS / "batched_matmul_bf16.yaml")
    case = cases.parse_id(problem, "normal,BATCH=2,M=3,N=4,K=5,scale=0.1")
    data = cases.make(problem, case, "0")
    a, b = (elements.decode(data.arrays[name], Dtype.BFLOAT16) for name in "AB")

    answer = reference.expected(problem, data)["C"]

    np.testing.assert_allclose(answer.value, float(np.float32(0.1)) * (a @ b), rtol=1e-14)


def test_integer_outputs_come_in_their_type() -> None:
    """Bytes in, bytes out, exactly."""
    problem = spec.load(SPECS / "color_inversion.yaml")
    data = cases.make(problem, cases.parse_id(problem, "bytes,height=3,width=5"), "0")

    answer = reference.expected(problem, data)["image"]

    assert answer.value.dtype == np.uint8
    np.testing.assert_array_equal(answer.value, ~data.arrays["image"])
    assert not answer.allowed.any()


def test_sorting_expects_the_stored_numbers_in_order() -> None:
    """In place, ties and nothing at all included."""
    problem = spec.load(SPECS / "sorting.yaml")
    for case_id in ("normal,N=100", "ties,N=100", "normal,N=0"):
        data = cases.make(problem, cases.parse_id(problem, case_id), "0")
        answer = reference.expected(problem, data)["data"]

        np.testing.assert_array_equal(answer.value, np.sort(data.arrays["data"]))


# --------------------------------------------------------------------------------------------------
# reference.py

SCRIPT = """
def reference(arrays, sizes, scalars):
    assert not arrays["A"].flags.writeable
    return {"C": scalars["s"] * (arrays["A"] @ arrays["B"])}

def magnitude(arrays, sizes, scalars):
    return {"C": abs(scalars["s"]) * (abs(arrays["A"]) @ abs(arrays["B"]))}
"""


def test_reference_py_says_the_same_as_the_expression(tmp_path: Path) -> None:
    """Its two functions give value and magnitude, so the allowed error is the same too."""
    (tmp_path / "expression").mkdir()
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "reference.py").write_text(SCRIPT)
    by_expression = spec.load(write(tmp_path / "expression"))
    by_script = spec.load(write(tmp_path / "script", reference=""))
    data = cases.make(by_script, cases.parse_id(by_script, "normal,N=7,K=9,s=0.5"), "0")

    one, other = (reference.expected(p, data)["C"] for p in (by_expression, by_script))

    np.testing.assert_array_equal(one.value, other.value)
    np.testing.assert_array_equal(one.allowed, other.allowed)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("", r"reference\.py: missing the function reference\(arrays, sizes, scalars\)"),
        (SCRIPT.split("def magnitude")[0], r"missing the function magnitude"),
        (SCRIPT.replace('"C"', '"D"'), r"reference\.C: got nothing, expected shape \(7,\)"),
        (SCRIPT.replace(' @ arrays["B"]', ""), r"got shape \(7, 9\) of float64, expected shape"),
    ],
    ids=["empty", "no magnitude", "another output", "another shape"],
)
def test_a_wrong_reference_py_is_the_fault_of_the_spec(
    script: str, message: str, tmp_path: Path
) -> None:
    """It is named with its path in one line."""
    (tmp_path / "reference.py").write_text(script)
    problem = spec.load(write(tmp_path, reference=""))
    data = cases.make(problem, cases.parse_id(problem, "normal,N=7,K=9,s=0.5"), "0")

    with pytest.raises(SpecError, match=message):
        reference.expected(problem, data)


def test_integers_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    """An int8 output cannot expect 300, nor a fraction."""
    blocks = {
        "signature": BASE["signature"].replace("C, dtype: float16", "C, dtype: int8"),
        "tolerance": "tolerance: {C: {rule: exact}}",
    }
    for text in ("300 + 0 * (A @ B)", "0.5 + 0 * (A @ B)"):
        problem = spec.load(write(tmp_path, reference=f"reference: {{C: {text}}}", **blocks))
        data = cases.make(problem, cases.parse_id(problem, "normal,N=7,K=9,s=1"), "0")
        with pytest.raises(SpecError, match=r"reference\.C: got numbers that int8 cannot hold"):
            reference.expected(problem, data)
