"""Expressions of a spec: exact on sizes, NumPy's on arrays, and bounded whatever is written."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from judge import arrayexpr, erf, expr
from judge.expr import ExpressionError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 * M * N", 70),
        ("M - N", -2),
        ("-M + 10", 5),
        ("N // 2 + N % 2", 4),
        ("M ** 2", 25),
        ("ceil_div(M, 2)", 3),
        ("ceil_log2(M)", 3),
        ("ceil_log2(1)", 0),
        ("min(M, N, 6) + max(1, abs(-4))", 9),
        ("  7 ", 7),
        ("2**61", 2**61),
    ],
)
def test_sizes_are_exact_integers(text: str, value: int) -> None:
    """M = 5, N = 7."""
    assert expr.sizes(text, {"M": 5, "N": 7}) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("L", "got the name L, expected one of M, N"),
        ("M / N", "got the operator /, expected one of + - * // % **"),
        ("M & N", "got the operator BitAnd, expected one of"),
        ("2.5 * M", "got 2.5, expected integers"),
        ("True", "got True, expected a number"),
        ("'M'", "got 'M', expected a number"),
        ("M.real", "got 'M.real', expected names, numbers and operators"),
        ("M[0]", "expected names, numbers and operators"),
        ("[M for M in N]", "expected names, numbers and operators"),
        ("(lambda: M)()", "got the function lambda: M, expected one of"),
        ("__import__(M)", "got the function __import__, expected one of min, max"),
        ("min(M)", "got min with other arguments, expected 2 to 8 plain ones"),
        ("max(*M)", "got max with other arguments"),
        ("min(M, N, key=M)", "got min with other arguments"),
        ("M < N", "expected names, numbers and operators"),
        ("M N", "got 'M N', expected an expression like 2 * M * N"),
        ("", "expected an expression like"),
        ("M // (N - 7)", "got a division by zero in M // (N - 7)"),
        ("ceil_div(M, 0)", "got a division by zero"),
        ("M ** -1", "got the exponent -1, expected 0 to 62"),
        ("9 ** 9 ** 9", "got the exponent 387420489, expected 0 to 62"),
        ("2 ** 62", "got a result beyond 2**62"),
        ("(2 ** 61) ** 60", "got a result beyond 2**62"),
        ("M" + "*9" * 600, "got 1201 characters, expected at most 1000"),
        ("-" * 900 + "M", "levels, expected fewer"),
        ("(" * 400 + "M" + ")" * 400, "expected an expression like"),
        ("9" * 900, "got a number beyond 2**62"),
    ],
    ids=lambda text: text[:30],
)
def test_anything_else_is_refused_in_one_line(text: str, message: str) -> None:
    """No attribute, index, lambda, keyword or huge number gets through, and it is fast."""
    before = time.perf_counter()
    with pytest.raises(ExpressionError) as error:
        expr.sizes(text, {"M": 5, "N": 7})

    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert time.perf_counter() - before < 0.5


A = np.array([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]])
B = np.array([[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]])
NAMES = {"A": A, "B": B, "s": -0.5, "N": 3}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("s * (A @ B) + 1", -0.5 * (A @ B) + 1),
        ("A / N - 2", A / 3 - 2),
        ("A ** 2", A**2),
        ("sum(A)", A.sum()),
        ("sum(A, -1)", A.sum(axis=-1, keepdims=True)),
        ("A / sum(A, 0)", A / A.sum(axis=0)),
        ("exp(A - max(A, -1))", np.exp(A - A.max(axis=-1, keepdims=True))),
        ("cumsum(A)", np.cumsum(A, axis=-1)),
        ("cumsum(A, 0)", np.cumsum(A, axis=0)),
        ("sort(A)", np.sort(A)),
        ("flip(A)", A[:, ::-1]),
        ("transpose(A) - B", A.T - B),
        ("where(A > 0, A, 0.01 * A)", np.where(A > 0, A, 0.01 * A)),
        ("maximum(A, 0)", np.maximum(A, 0)),
        ("mean(A, 0)", A.mean(axis=0, keepdims=True)),
        ("mean(abs(A))", np.abs(A).mean()),
        ("A[:, 1:]", A[:, 1:]),
        ("A[..., :N // 2] + 1", A[..., :1] + 1),
        ("A[-1]", A[-1]),
        ("A[0, ::2]", A[0, ::2]),
        ("reshape(A, N, 2)", A.reshape(3, 2)),
        ("reshape(stack(A, -A), 2 * N, 2)", np.stack([A, -A], -1).reshape(6, 2)),
        ("concat(A, transpose(B), A)", np.concatenate([A, B.T, A], -1)),
        ("where(arange(N) % 2 == 1, A, 255 - A)", np.where([False, True, False], A, 255 - A)),
        ("A // 2", A // 2),
        ("clip(A, s, 1)", np.clip(A, -0.5, 1)),
        ("sigmoid(A)", 1 / (1 + np.exp(-A))),
        ("sum(A > 0)", (A > 0).sum()),
    ],
)
def test_arrays_are_what_numpy_says(text: str, value: object) -> None:
    """The dialect of references is NumPy's, in float64; reductions keep the axis they go over."""
    result = arrayexpr.arrays(text, NAMES)

    assert result.dtype == np.float64
    np.testing.assert_array_equal(result, value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A + D", "got the name D, expected one of A, B, s, N"),
        ("A @ A", "shapes (2, 3) and (2, 3) do not fit in A @ A"),
        ("A @ s", "shapes (2, 3) and () do not fit"),
        ("A + B", "shapes (2, 3) and (3, 2) do not fit in A + B"),
        ("A << 2", "got the operator LShift, expected one of + - * / // % ** @"),
        ("A[:s]", "got s in s, expected sizes only"),
        ("A[:1.5]", "got 1.5, expected integers"),
        ("A[A]", "got A in A, expected sizes only"),
        ("A[5]", "shapes (2, 3) do not fit in A[5]"),
        ("A[sum(A)]", "got the function sum, expected one of min, max"),
        ("reshape(A, 4)", "do not fit in reshape(A, 4)"),
        ("reshape(A, B)", "got B in B, expected sizes only"),
        ("concat(A, B)", "do not fit in concat(A, B)"),
        ("arange(2 ** 40)", "got 1099511627776 elements in arange"),
        ("arange(0 - N)", "got -3 elements in arange"),
        ("sum(A, 7)", "shapes (2, 3) do not fit in sum(A, 7)"),
        ("sum(A, N)", "got the axis N, expected a literal such as 0 or -1"),
        ("sum(A, 9999)", "got the axis 9999"),
        ("1 < A < 2", "expected one of < <= > >= == !="),
        ("transpose(s)", "shapes () do not fit"),
        ("load(A)", "got the function load, expected one of"),
    ],
)
def test_array_mistakes_end_in_one_line(text: str, message: str) -> None:
    """Shapes that do not fit are named with the part of the expression they meet in."""
    with pytest.raises(ExpressionError) as error:
        arrayexpr.arrays(text, NAMES)

    assert message in str(error.value)


def test_no_array_grows_without_bound() -> None:
    """Broadcasting and outer products beyond 2**28 elements are refused before they are made."""
    column, row = np.zeros((2**15, 1)), np.zeros((1, 2**15))

    for text in ("x + y", "x @ y", "where(x < y, x, y)"):
        with pytest.raises(ExpressionError, match="got more than 268435456 elements"):
            arrayexpr.arrays(text, {"x": column, "y": row})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("s * (A @ B) - 2 * A @ B", 2.5 * (np.abs(A) @ np.abs(B))),
        ("A - transpose(B)", np.abs(A) + np.abs(B.T)),
        ("-A / 4", np.abs(A) / 4),
        ("sum(A, -1) - 1", np.abs(A).sum(axis=-1, keepdims=True) + 1),
        ("cumsum(A)", np.cumsum(np.abs(A), axis=-1)),
        ("where(A > 0, A, s * A)", np.where(A > 0, np.abs(A), 0.5 * np.abs(A))),
        ("abs(A) ** 2", A**2),
        ("A[:, :2] - A[:, 1:]", np.abs(A[:, :2]) + np.abs(A[:, 1:])),
        ("reshape(A, N, 2) - B", np.abs(A.reshape(3, 2)) + np.abs(B)),
        ("where(arange(N) % 2 == 0, A, 1 - A)", np.abs(A) + np.array([0, 1, 0])),
        ("minimum(A, 0.5 * A)", np.abs(A)),
        ("min(A, -1)", np.abs(A).max(axis=-1, keepdims=True)),
        ("clip(A, -2, 0)", np.maximum(np.abs(A), 2)),
    ],
)
def test_magnitude_is_the_formula_on_absolute_values(text: str, value: object) -> None:
    """Minus becomes plus, inputs lose their sign, conditions keep theirs."""
    np.testing.assert_array_equal(arrayexpr.magnitude(text, NAMES), value)


@pytest.mark.parametrize("text", ["exp(A)", "sort(A)", "A % 2", "A / N", "A ** s", "1 + sqrt(A)"])
def test_magnitude_is_refused_where_it_bounds_nothing(text: str) -> None:
    """A formula that is no sum of products has another rule."""
    with pytest.raises(ExpressionError, match="rounding"):
        arrayexpr.magnitude(text, NAMES)


@pytest.mark.parametrize("size", [1e-300, 1e-6, 0.01, 1.0, 4.0, 9.0])
def test_erf_is_that_of_the_standard_library(size: float) -> None:
    """To two units in the last place, for numbers of any size."""
    x = np.linspace(-size, size, 4001)
    right = np.array([math.erf(number) for number in x])

    assert np.all(np.abs(erf.erf(x) - right) <= 2 * np.spacing(np.abs(right)))


def test_erf_of_special_numbers() -> None:
    """Infinities give 1 and -1, NaN stays one."""
    result = erf.erf(np.array([np.inf, -np.inf, np.nan, -0.0]))

    assert result[:2].tolist() == [1, -1]
    assert np.isnan(result[2])
    assert np.signbit(result[3])
