"""The rules: honest rounding is allowed, and what no honest kernel does is not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from judge import elements, tolerance
from judge.model import Dtype, Tolerance

ROUNDING = Tolerance("rounding", terms="K")


def test_rounding_is_the_formula_of_its_source() -> None:
    """Worked by hand for K = 4, r = 3, G = 5, float16 from float32 sums."""
    bound = tolerance.allowed(ROUNDING, Dtype.FLOAT16, np.array([-3.0]), np.array([5.0]), 4)

    gamma = (8 * 2 + 0.5) * 2**-24
    by_hand = 1.05 * (2**-11 * 3 + (1 + 2**-11) * gamma * 5 + 2**-25)
    assert bound == pytest.approx([by_hand], rel=1e-15)


def test_accumulating_in_half_allows_more() -> None:
    """The type that sums are kept in sets gamma."""
    half = Tolerance("rounding", accumulate=Dtype.FLOAT16, terms="K")
    r, g = np.array([3.0]), np.array([5.0])

    bound = tolerance.allowed(half, Dtype.FLOAT16, r, g, 4)

    assert bound[0] == pytest.approx(
        1.05 * (2**-11 * 3 + (1 + 2**-11) * 16.5 * 2**-11 * 5 + 2**-25), rel=1e-15
    )


@pytest.mark.parametrize("dtype", [Dtype.FLOAT16, Dtype.BFLOAT16, Dtype.FLOAT32])
def test_one_rounding_to_nearest_is_always_allowed(dtype: Dtype) -> None:
    """Over the whole range, subnormals included: the float64 result rounded once passes."""
    exponents = np.linspace(math.log2(elements.least_subnormal(dtype)) - 2, 14, 4001)
    exact = np.exp2(exponents)
    bound = tolerance.allowed(ROUNDING, dtype, exact, np.zeros_like(exact), 1)

    error = np.abs(elements.rounded(exact, dtype) - exact)
    assert (error <= bound).all()
    assert (error / bound).max() > 0.9


def gemm(terms: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Half inputs U(-1, 1) as float32, and the exact product, of 40 rows and columns."""
    random = np.random.Generator(np.random.Philox(key=terms))
    a = random.uniform(-1, 1, (40, terms)).astype(np.float16).astype(np.float32)
    b = random.uniform(-1, 1, (terms, 40)).astype(np.float16).astype(np.float32)
    return a, b, a.astype(np.float64) @ b.astype(np.float64)


def usage(out: np.ndarray, a: np.ndarray, b: np.ndarray, r: np.ndarray) -> float:
    """The largest error / allowed of a product."""
    g = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)
    bound = tolerance.allowed(ROUNDING, Dtype.FLOAT16, r, g, a.shape[1])
    return float((np.abs(out.astype(np.float64) - r) / bound).max())


@pytest.mark.parametrize("terms", [1, 16, 257, 1024])
def test_sums_in_float_pass_in_any_order(terms: int) -> None:
    """One by one, backwards and in pairs, each rounded to half once: usage is below 1."""
    a, b, r = gemm(terms)
    forward, backward = np.zeros_like(r, np.float32), np.zeros_like(r, np.float32)
    for k in range(terms):
        forward += np.outer(a[:, k], b[k])
        backward += np.outer(a[:, -1 - k], b[-1 - k])

    for product in (forward, backward, a @ b):
        assert usage(product.astype(np.float16), a, b, r) < 1


@pytest.mark.parametrize("terms", [16, 257, 1024])
def test_sums_in_half_and_short_inputs_do_not_pass(terms: int) -> None:
    """Sums kept in half, inputs cut to bfloat16 and a K loop one short: usage is above 1."""
    a, b, r = gemm(terms)
    total = np.zeros_like(r, np.float16)
    for k in range(terms):
        total += np.outer(a[:, k], b[k]).astype(np.float16)
    cut = (a.view(np.uint32) & 0xFFFF0000).view(np.float32)
    short = a[:, :-1] @ b[:-1]

    for product in (total, (cut @ b).astype(np.float16), short.astype(np.float16)):
        assert usage(product, a, b, r) > 1


def test_exact_allows_nothing() -> None:
    """Zero for every element, whatever its size."""
    assert not tolerance.allowed(Tolerance("exact"), Dtype.INT32, np.array([0, 7])).any()


def test_ulp_counts_in_the_spacing_of_the_output_type() -> None:
    """Two units at 1, just below 2, at 2 and at a subnormal of float16, plus the least number."""
    rule = Tolerance("ulp", ulp=2)
    values = np.array([1.0, -1.999, 2.0, 2.0**-20, 0.0])

    bound = tolerance.allowed(rule, Dtype.FLOAT16, values)

    units = np.array([2.0**-10, 2.0**-10, 2.0**-9, 2.0**-24, 2.0**-24])
    np.testing.assert_array_equal(bound, 2 * units + 2.0**-24)


def test_allclose_adds_its_two_parts() -> None:
    """atol + rtol * |r|."""
    bound = tolerance.allowed(
        Tolerance("allclose", rtol=0.5, atol=0.25), Dtype.FLOAT32, np.array([-4.0, 0.0])
    )

    assert bound.tolist() == [2.25, 0.25]


def test_rounding_without_a_magnitude_is_no_bound() -> None:
    """A missing magnitude is an error, never a tolerance."""
    with pytest.raises(ValueError, match="no bound for rule 'rounding'"):
        tolerance.allowed(ROUNDING, Dtype.FLOAT16, np.ones(1))


# --------------------------------------------------------------------------------------------------
# The number formats beneath


@pytest.mark.parametrize(
    ("dtype", "u", "eta", "largest"),
    [
        (Dtype.FLOAT16, 2.0**-11, 2.0**-24, 65504.0),
        (Dtype.BFLOAT16, 2.0**-8, 2.0**-133, 3.3895313892515355e38),
        (Dtype.FLOAT32, 2.0**-24, 2.0**-149, 3.4028234663852886e38),
        (Dtype.FLOAT64, 2.0**-53, 5e-324, 1.7976931348623157e308),
    ],
)
def test_formats_have_the_numbers_of_ieee_754(
    dtype: Dtype, u: float, eta: float, largest: float
) -> None:
    """Unit roundoff, least subnormal and largest number."""
    assert elements.unit_roundoff(dtype) == u
    assert elements.least_subnormal(dtype) == eta
    assert elements.largest(dtype) == largest


@pytest.mark.parametrize(
    ("number", "bits"),
    [
        (1.0, 0x3F80),
        (1 + 2**-8, 0x3F80),  # a tie goes to even
        (1 + 3 * 2**-8, 0x3F82),
        (1 + 2**-8 + 2**-40, 0x3F81),  # just above the tie, though float32 lands on it
        (1 + 3 * 2**-8 - 2**-40, 0x3F81),
        (-2.5, 0xC020),
        (-0.0, 0x8000),
        (1e39, 0x7F80),
        (math.inf, 0x7F80),
        (math.nan, 0x7FC0),
        (2.0**-133, 0x0001),
    ],
)
def test_bfloat16_rounds_to_nearest_even_once(number: float, bits: int) -> None:
    """From float64, without a second rounding through float32."""
    assert elements.encode(np.array([number]), Dtype.BFLOAT16)[0] == bits


def test_every_bfloat16_comes_back_as_itself() -> None:
    """Decoding and encoding all 65,536 patterns changes none but the payloads of NaN."""
    every = np.arange(2**16, dtype=np.uint16)
    numbers = elements.decode(every, Dtype.BFLOAT16)

    back = elements.encode(numbers, Dtype.BFLOAT16)

    same = back == every
    assert same[~np.isnan(numbers)].all()
    assert np.isnan(elements.decode(back, Dtype.BFLOAT16))[np.isnan(numbers)].all()


@pytest.mark.parametrize("dtype", [Dtype.FLOAT16, Dtype.FLOAT32])
def test_ulp_is_the_distance_to_the_next_number(dtype: Dtype) -> None:
    """As NumPy's spacing says, for normal and subnormal numbers."""
    numbers = np.exp2(np.linspace(-24, 15, 500)).astype(dtype.storage)

    np.testing.assert_array_equal(
        elements.ulp(numbers.astype(np.float64), dtype), np.spacing(numbers).astype(np.float64)
    )
