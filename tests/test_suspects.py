"""Why an output is wrong: mistakes made on purpose are named, and right parts of an answer are not.

Every mistake is made here in NumPy, by other means than the judge's own where that is possible.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gemm_calls import RAGGED, Call, call

from judge import cases, reference
from judge import spec as specs
from judge.arithmetic import FLOAT32_ORDERS, HALF_SUMS, Arithmetic, evaluate
from judge.compare import compare
from judge.elements import decode, encode, rounded
from judge.misplaced import misplaced
from judge.mistakes import mistakes, term_axes
from judge.model import Array, Dtype, Reason, Spec
from judge.suspects import suspects

RAGGED_CALL = call()
LARGE = "normal,M=129,N=131,K=127,alpha=-1.25,beta=0.5"
LARGE_CALL = call(LARGE)


def gemm(c: Call, a: Array, b: Array, alpha: float | None = None) -> Array:
    """The formula with other inputs, in float64."""
    return (c.alpha if alpha is None else alpha) * (a @ b) + c.beta * c.C


def without_tail(c: Call) -> Array:
    """The loop over K runs over whole tiles of 16 only."""
    k = c.A.shape[1] // 16 * 16
    return gemm(c, c.A[:, :k], c.B[:k])


def last_tile_only(c: Call) -> Array:
    """The accumulator is set to zero for every tile of 16."""
    k = (c.A.shape[1] - 1) // 16 * 16
    return gemm(c, c.A[:, k:], c.B[k:])


def wrong_stride(c: Call) -> Array:
    """A[row * N + k]; what lies beyond A is 7."""
    flat = np.concatenate([c.A.reshape(-1), np.full(c.A.shape[0] * 200, 7.0)])
    rows = np.arange(c.A.shape[0])[:, None] * c.C.shape[1] + np.arange(c.A.shape[1])
    return gemm(c, flat[rows], c.B)


def half_sums(c: Call, parts: int = 1) -> Array:
    """`parts` accumulators of type half, added up at the end, as with half2."""
    sums = np.zeros((parts, *c.C.shape), np.float16)
    for k in range(c.A.shape[1]):
        product = c.A[:, k, None] * c.B[None, k, :]
        with np.errstate(over="ignore"):
            sums[k % parts] = (sums[k % parts] + product).astype(np.float16)
    return c.alpha * sums.astype(np.float64).sum(axis=0) + c.beta * c.C


def towards_zero(c: Call) -> Array:
    """Stored with __float2half_rz."""
    down = encode(c.truth, Dtype.FLOAT16)
    too_large = np.abs(decode(down, Dtype.FLOAT16)) > np.abs(c.truth)
    return np.where(too_large, np.nextafter(down, np.float16(0)), down).astype(np.float16)


def shifted(c: Call) -> Array:
    """Each block row writes the answer of the one before it."""
    return np.concatenate([c.truth[:16], c.truth[:-16]])


MISTAKES: dict[str, tuple[Callable[[Call], Array], str]] = {
    "beta": (lambda c: c.alpha * (c.A @ c.B), "the output equals the result with beta taken as 0"),
    "alpha": (
        lambda c: gemm(c, c.A, c.B, alpha=1.0),
        "the output equals the result with alpha taken as 1",
    ),
    "both": (
        lambda c: c.A @ c.B,
        "the output equals the result with alpha taken as 1 and beta taken as 0",
    ),
    "integer": (
        lambda c: gemm(c, c.A, c.B, alpha=float(int(c.alpha))),
        "the output equals the result with alpha taken as -1",
    ),
    "transposed input": (
        lambda c: gemm(c, c.A.reshape(c.A.shape[::-1]).T, c.B),
        "the output equals the result with A read as its transpose",
    ),
    "transposed output": (
        lambda c: np.ascontiguousarray(c.truth.T).reshape(c.truth.shape),
        "the wrong elements equal the expected output transposed",
    ),
    "one row late": (
        lambda c: np.roll(c.truth, 1, axis=0),
        "the wrong elements equal the expected ones 1 row before",
    ),
    "one tile late": (shifted, "the wrong elements equal the expected ones 16 rows before"),
    "block index ignored": (
        lambda c: c.truth[np.arange(len(c.truth)) % 32],
        "the wrong elements equal the expected ones of the first tile of 32 rows",
    ),
    "sign": (lambda c: -c.truth, "the wrong elements have the wrong sign"),
    "twice": (lambda c: 2 * c.truth, "the wrong elements are twice the expected value"),
    "constant": (
        lambda c: np.where(np.arange(c.truth.shape[1]) >= 32, 0.0, c.truth),
        "every wrong element holds 0",
    ),
    "bfloat16": (
        lambda c: gemm(c, rounded(c.A, Dtype.BFLOAT16), rounded(c.B, Dtype.BFLOAT16)),
        "the output equals the result with A and B cut to bfloat16",
    ),
    "rounding": (towards_zero, "the output is rounded towards zero, not to the nearest float16"),
    "half sums": (half_sums, "the output equals the result with sums kept in float16"),
}


def named(c: Call, output: Array, before: Call | None = None) -> list[str]:
    """The words of all suspects."""
    stored = output if output.dtype == np.float16 else encode(output, Dtype.FLOAT16)
    argument = c.spec.argument("C")
    found = compare(argument, stored, c.expected["C"], c.data.arrays["C"])
    old = before.expected["C"] if before else None
    return [suspect.words for suspect in suspects(c.spec, c.data, found, old)]


@pytest.mark.parametrize("c", [RAGGED_CALL, LARGE_CALL], ids=[RAGGED, LARGE])
@pytest.mark.parametrize(("make", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_named(c: Call, make: Callable[[Call], Array], words: str) -> None:
    """Each mistake, in a small problem and in one whose rows and columns are sampled."""
    assert named(c, make(c)) == [words]


@pytest.mark.parametrize(
    ("c", "words"),
    [
        (RAGGED_CALL, "the last of 17 terms of K left out (the tail of K for tiles of 8, 16)"),
        (LARGE_CALL, "the last 15 of 127 terms of K left out (the tail of K for tiles of 16)"),
    ],
    ids=["one", "fifteen"],
)
def test_a_forgotten_tail_is_named_with_its_tiles(c: Call, words: str) -> None:
    """K mod 16 terms are left out: how many, and for which tiles that is the tail."""
    assert named(c, without_tail(c)) == [f"the output equals the result with {words}"]


def test_a_loop_that_never_runs_is_named() -> None:
    """K below the tile: zeros, because no term was added."""
    c = call("normal,M=20,N=9,K=5,alpha=1,beta=0")

    assert named(c, np.zeros(c.truth.shape)) == [
        "every wrong element holds 0",
        "the output equals the result with all terms of K left out "
        "(the tail of K for tiles of 8, 16, 32, 64, 128)",
    ]


def test_a_sum_that_restarts_is_named() -> None:
    """Only the last tile of K is in the result."""
    words = "only the last 15 of 127 terms of K (the sum restarts each 16)"

    assert named(LARGE_CALL, last_tile_only(LARGE_CALL)) == [
        f"the output equals the result with {words}"
    ]


def test_a_wrong_row_stride_is_named_though_reads_leave_the_array() -> None:
    """What lies beyond A is not known; the rows that stay inside decide."""
    assert named(RAGGED_CALL, wrong_stride(RAGGED_CALL)) == [
        "the output equals the result with A read with rows N = 33 apart, not 17"
    ]


def test_exchanged_inputs_are_named() -> None:
    """B @ A where both are square."""
    c = call("normal,M=20,N=20,K=20,alpha=0.5,beta=1")

    assert named(c, gemm(c, c.B, c.A)) == ["the output equals the result with A and B exchanged"]


def test_half_sums_in_another_order_are_known_by_the_size_of_their_errors() -> None:
    """Four half accumulators give other errors than one, of about the same size."""
    words = named(LARGE_CALL, half_sums(LARGE_CALL, parts=2))

    assert len(words) == 1
    assert words[0].startswith("errors as large as with sums kept in float16 (root mean square")


def test_a_sum_beyond_the_largest_half_is_named() -> None:
    """alpha = 1/64 makes the answer small, but a sum kept in half was infinite before."""
    c = call("large,M=19,N=21,K=100,alpha=0.015625,beta=0.5")

    check = c.check(half_sums(c))

    assert check.fault is not None
    assert check.fault.reason is Reason.NONFINITE
    assert "the output equals the result with sums kept in float16" in check.fault.details


def test_what_is_left_from_the_previous_call_is_named() -> None:
    """A static accumulator adds this call's answer to the last one's."""
    before, now = call(RAGGED, 0), call(RAGGED, 1)

    assert named(now, now.truth + before.truth, before) == [
        "the wrong elements hold the previous call's answer too: a sum is not reset"
    ]


def test_unique_ids_name_the_element_that_was_read() -> None:
    """One-hot A: the answer is an element of B, and a wrong one says which it is."""
    c = call("one_hot,M=9,N=7,K=11,alpha=1,beta=0")
    up = np.vstack([c.B[1:], np.full((1, 7), 0.5)])

    words = named(c, c.A @ up)

    row = int(np.argmax(c.A[0]))
    assert words[0] == (
        f"C[0, 0] holds B[{row + 1}, 0], expected B[{row}, 0]; "
        "all wrong elements are read (+1, +0) away"
    )


def test_any_bits_can_be_diagnosed() -> None:
    """An output may hold anything: signalling NaNs, infinities, subnormals."""
    bits = np.random.default_rng(5).integers(0, 1 << 16, RAGGED_CALL.truth.shape, np.uint16)

    fault = RAGGED_CALL.check(bits.view(np.float16)).fault

    assert fault is not None
    assert fault.message == "all 2145 elements wrong"


def test_nothing_is_named_without_evidence() -> None:
    """Random elements that are a bit off fit no mistake."""
    rng = np.random.default_rng(2)
    output = RAGGED_CALL.truth + (rng.random((65, 33)) < 0.1) * rng.normal(size=(65, 33))

    assert named(RAGGED_CALL, output) == []


def test_a_mistake_of_some_blocks_is_said_of_the_wrong_elements_only() -> None:
    """beta is forgotten in the last columns: the right ones do not fit, and are not claimed to."""
    output = RAGGED_CALL.truth.copy()
    output[:, 16:] -= RAGGED_CALL.beta * RAGGED_CALL.C[:, 16:]

    assert named(RAGGED_CALL, output) == [
        "the wrong elements equal the result with beta taken as 0"
    ]


def test_the_mistakes_of_a_call_differ_from_it_and_have_words_of_their_own() -> None:
    """No mistake is the call itself, and none is offered twice."""
    c = RAGGED_CALL
    offered = list(mistakes(c.spec, c.data, c.spec.argument("C")))
    answers = [reference.expected(c.spec, mistake.data)["C"].value for mistake in offered]

    assert len({mistake.words for mistake in offered}) == len(offered) > 20
    assert [
        mistake.words
        for mistake, answer in zip(offered, answers, strict=True)
        if np.array_equal(answer, c.truth)
    ] == []


CENTRED = """\
version: 1
title: centred columns
summary: y = scale * (x - the mean of its column)
source: made up for this test
axes: {M: {min: 1, max: 4000}, N: {min: 1, max: 4000}}
signature:
  - {name: x, dtype: float32, role: in, shape: [M, N]}
  - {name: y, dtype: float32, role: out, shape: [M, N]}
  - {name: M, dtype: int32, role: axis}
  - {name: N, dtype: int32, role: axis}
  - {name: scale, dtype: float32, role: scalar, values: [1, 0.375]}
families:
  uniform: {weight: 1, inputs: {x: {uniform: [0, 1]}}}
cases: {tiles: [16, 32], fixed: [], drawn: 2}
work: 4 * M * N
bytes: 8 * M * N
reference: {y: "scale * (x - mean(x, 0))"}
tolerance: {y: {rule: rounding, accumulate: float32, terms: M}}
limits: {seconds_per_call: 1, memory_mib: 64}
"""


def test_rows_that_depend_on_each_other_are_not_sampled(tmp_path: Path) -> None:
    """A mean over the rows is another one in a sample of them: only columns are left out."""
    (tmp_path / "problem.yaml").write_text(CENTRED)
    spec = specs.load(tmp_path / "problem.yaml")
    data = cases.make(spec, cases.parse_id(spec, "uniform,M=600,N=500,scale=0.375"), "tests", 0)
    x = data.arrays["x"].astype(np.float64)
    output = (x - x.mean(axis=0)).astype(np.float32)
    found = compare(spec.argument("y"), output, reference.expected(spec, data)["y"], None)

    assert [suspect.words for suspect in suspects(spec, data, found, None)] == [
        "the output equals the result with scale taken as 1"
    ]


ROWS = """\
version: 1
title: row sums
summary: y = scale * the sum of each row of x
source: made up for this test
axes: {M: {min: 1, max: 1000}, N: {min: 1, max: 1000}}
signature:
  - {name: x, dtype: float32, role: in, shape: [M, N]}
  - {name: y, dtype: float32, role: out, shape: [M]}
  - {name: M, dtype: int32, role: axis}
  - {name: N, dtype: int32, role: axis}
  - {name: scale, dtype: float32, role: scalar, values: [1, 0.5]}
families:
  normal: {weight: 1, inputs: {x: normal}}
cases: {tiles: [16, 32], fixed: [], drawn: 2}
work: M * N
bytes: 4 * (M * N + M)
reference: {y: "scale * sum(x, -1)"}
tolerance: {y: {rule: rounding, accumulate: float32, terms: N}}
limits: {seconds_per_call: 1, memory_mib: 64}
"""


@pytest.fixture
def rows(tmp_path: Path) -> Spec:
    """A problem that is no GEMM: one input, one vector out, float32."""
    (tmp_path / "problem.yaml").write_text(ROWS)
    return specs.load(tmp_path / "problem.yaml")


def test_mistakes_come_from_the_spec_not_from_gemm(rows: Spec) -> None:
    """A reduction over rows: its tail and its inputs are found by the same rules."""
    case = cases.parse_id(rows, "normal,M=40,N=100,scale=0.5")
    data = cases.make(rows, case, "tests", 0)
    expected = reference.expected(rows, data)["y"]
    argument = rows.argument("y")
    x = data.arrays["x"].astype(np.float64)

    def words(output: Array) -> list[str]:
        found = compare(argument, output.astype(np.float32), expected, None)
        return [suspect.words for suspect in suspects(rows, data, found, None)]

    assert term_axes(rows, argument) == ("N",)
    assert words(0.5 * x[:, :96].sum(axis=1)) == [
        "the output equals the result with the last 4 of 100 terms of N left out "
        "(the tail of N for tiles of 16, 32)"
    ]
    assert words(x.sum(axis=1)) == ["the output equals the result with scale taken as 1"]
    assert words(-0.5 * x.sum(axis=1)) == ["the wrong elements have the wrong sign"]
    assert words(0.5 * x.astype(np.float16).astype(np.float64).sum(axis=1)) == [
        "the output equals the result with x cut to float16"
    ]


def test_misplaced_values_are_looked_for_before_anything_is_evaluated() -> None:
    """Each phrase of `misplaced` alone explains the wrong elements."""
    c = RAGGED_CALL
    found = compare(
        c.spec.argument("C"),
        encode(c.truth[::-1].copy(), Dtype.FLOAT16),
        c.expected["C"],
        c.data.arrays["C"],
    )

    assert list(misplaced(c.spec, c.data, found, None)) == [
        "the wrong elements equal the expected ones of the row counted from the other end"
    ]


@pytest.mark.parametrize("arithmetic", FLOAT32_ORDERS, ids=lambda a: a.order)
def test_float32_sums_in_any_order_are_near_the_truth(arithmetic: Arithmetic) -> None:
    """Forward, reversed, blocked and pairwise sums differ, by roundings of float32 only."""
    c = LARGE_CALL
    values = {"A": c.A, "B": c.B, "C": c.C, "alpha": c.alpha, "beta": c.beta}

    result = evaluate(c.spec.reference["C"], values, arithmetic)

    error = np.abs(result - c.truth).max()
    assert 0 < error < 127 * 2**-24 * np.abs(c.truth).max() * 4


@pytest.mark.parametrize("arithmetic", FLOAT32_ORDERS, ids=lambda a: a.order)
@pytest.mark.parametrize("count", [1, 2, 7, 8, 31, 32, 33, 100, 1009])
def test_long_float32_sums_are_added_as_one_by_one(arithmetic: Arithmetic, count: int) -> None:
    """All chains at once give the bits that a loop over the terms gives, along any axis."""
    x = np.random.default_rng(count).standard_normal((3, count)).astype(np.float32)
    ones = np.ones((count, 1), np.float32)

    sums = evaluate("sum(x, 1)", {"x": x}, arithmetic)

    assert np.array_equal(sums, evaluate("x @ ones", {"x": x, "ones": ones}, arithmetic))
    assert np.array_equal(evaluate("sum(x)", {"x": x[1]}, arithmetic), sums[1, 0])


def test_half_sums_stop_counting_at_2048() -> None:
    """1 + 1 + ... in half: what every half accumulator does, fused or not."""
    values = {"A": np.ones((1, 3000)), "B": np.ones((3000, 1))}

    sums = [float(evaluate("A @ B", values, arithmetic)[0, 0]) for arithmetic in HALF_SUMS]

    assert sums == [2048.0] * 4
