"""half and bfloat16 of the CPU backend: every operation is rounded once, to nearest even.

The reference knows nothing of bits: it has the sorted list of a format's values and picks the
nearest.  Where float64 cannot hold a result (fma), it is computed in Python's integers.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import cuda_programs
import numpy as np
import pytest
from numpy.typing import NDArray

Bits = NDArray[np.uint16]
BINARY = ("add", "sub", "mul", "div")
UNARY = (
    *("sqrt", "rsqrt", "rcp", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "tanh"),
    *("ceil", "floor", "trunc", "rint"),
)
MODES = ("nearest", "zero", "down", "up")


class Format:
    """A 16-bit format: its values in order, and rounding to them by search."""

    def __init__(self, name: str, exponent_bits: int, fraction_bits: int) -> None:
        self.name, self.fraction_bits = name, fraction_bits
        self.infinity = ((1 << exponent_bits) - 1) << fraction_bits
        bits = np.arange(self.infinity)
        exponent, fraction = bits >> fraction_bits, bits & ((1 << fraction_bits) - 1)
        significand = fraction + (exponent > 0) * (1 << fraction_bits)
        self.smallest_power = 2 - (1 << (exponent_bits - 1)) - fraction_bits
        power = np.maximum(exponent, 1) - 1 + self.smallest_power
        self.positive = np.ldexp(significand.astype(np.float64), power)
        after_last = 2 * self.positive[-1] - self.positive[-2]  # where rounding would go on
        self.grid = np.append(self.positive, after_last)

    def values(self, bits: Bits) -> NDArray[np.float64]:
        """Bits -> values; shapes (n,)."""
        table = np.full(32768, np.nan)
        table[: self.infinity] = self.positive
        table[self.infinity] = np.inf
        sign = np.where(bits >> 15, -1.0, 1.0)
        found: NDArray[np.float64] = table[bits & 0x7FFF] * sign
        return found

    def rounded(self, exact: NDArray[np.float64], mode: str = "nearest") -> Bits:
        """The bits of `exact` rounded in a mode; NaN is 0x7FFF; shapes (n,)."""
        size = np.minimum(np.abs(np.nan_to_num(exact, nan=0.0, posinf=1e300, neginf=1e300)), 1e300)
        above = np.clip(np.searchsorted(self.grid, size, side="left"), 0, self.infinity)
        below = np.where(self.grid[above] > size, above - 1, above)
        beyond = size > self.grid[-1]
        below = np.where(beyond, self.infinity, below)
        negative = np.signbit(exact)
        up, down = self.grid[above] - size, size - self.grid[below]
        nearest = np.where((up < down) | ((up == down) & (above % 2 == 0)), above, below)
        away = np.where(beyond | (below == self.infinity), self.infinity, above)
        toward = np.where(below == self.infinity, self.infinity - 1, below)
        infinite = np.isinf(exact)
        chosen = {
            "nearest": np.where(beyond, self.infinity, nearest),
            "zero": toward,
            "down": np.where(negative, away, toward),
            "up": np.where(negative, toward, away),
        }[mode]
        chosen = np.where(infinite, self.infinity, chosen) | np.where(negative, 0x8000, 0)
        return np.where(np.isnan(exact), 0x7FFF, chosen).astype(np.uint16)

    def rounded_integer(self, value: int, power: int) -> int:
        """The bits, without the sign, of value * 2**power for value > 0, to nearest even."""
        drop = max(value.bit_length() - 1 - self.fraction_bits, self.smallest_power - power)
        if drop <= 0:
            value, power, drop = value << -drop, power + drop, 0
        kept, rest = value >> drop, value & ((1 << drop) - 1)
        half = (1 << drop) >> 1
        if drop and (rest > half or (rest == half and kept & 1)):
            kept += 1
        exponent = power + drop - self.smallest_power
        return min((exponent << self.fraction_bits) + kept, self.infinity)

    def integers(self, bits: Bits) -> list[int]:
        """Values as multiples of the smallest positive one."""
        scale = 1 << self.fraction_bits
        found = []
        for one in bits.tolist():
            exponent, fraction = (one & 0x7FFF) // scale, one % scale
            size = (fraction + scale) << (exponent - 1) if exponent else fraction
            found.append(-size if one >> 15 else size)
        return found


HALF, BFLOAT16 = Format("half", 5, 10), Format("bfloat16", 8, 7)
Subject = tuple[Format, ctypes.CDLL]


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ctypes.CDLL]:
    """The operations, once as this processor does them and once with conversion in software."""
    source, folder = cuda_programs.SOURCES / "narrow_calls.cpp", tmp_path_factory.mktemp("narrow")
    extra = {"hardware": (), "software": ("-U__FLT16_MAX__",)}
    loaded = {
        name: ctypes.CDLL(str(cuda_programs.library(source, folder / f"{name}.so", *flags)))
        for name, flags in extra.items()
    }
    assert loaded["software"].half_in_hardware() == 0
    return loaded


@pytest.fixture(scope="module", params=["half", "half-software", "bfloat16"])
def subject(request: pytest.FixtureRequest, libraries: dict[str, ctypes.CDLL]) -> Subject:
    """A format and the library that computes in it; only half converts in two ways."""
    form = BFLOAT16 if request.param == "bfloat16" else HALF
    return form, libraries["software" if "software" in request.param else "hardware"]


def pointer(array: NDArray[np.generic]) -> ctypes.c_void_p:
    assert array.flags.c_contiguous
    return ctypes.c_void_p(array.ctypes.data)


def call(function: ctypes._NamedFuncPointer, *arguments: NDArray[np.generic] | int) -> Bits:
    """Apply it to arrays of one length; integers before them are passed on."""
    n = next(one.size for one in arguments if isinstance(one, np.ndarray))
    out = np.empty(n, np.uint16)
    passed = [pointer(one) if isinstance(one, np.ndarray) else one for one in arguments]
    function(*passed, pointer(out), ctypes.c_long(n))
    return out


def assert_same(got: Bits, expected: Bits, form: Format) -> None:
    """Equal bits; one NaN is as good as another."""
    nan = (expected & 0x7FFF) > form.infinity
    wrong = np.where(nan, (got & 0x7FFF) <= form.infinity, got != expected)
    first = np.flatnonzero(wrong)[:5]
    assert not wrong.any(), (int(wrong.sum()), first, got[first], expected[first])


def random_bits(rng: np.random.Generator, n: int) -> Bits:
    return rng.integers(0, 65536, n, dtype=np.uint16)


def test_widening_is_exact(subject: Subject) -> None:
    """All 65,536 bit patterns become the float they stand for, with the sign of zeros."""
    form, calls = subject
    bits = np.arange(65536).astype(np.uint16)
    got = np.empty(65536, np.float32)
    getattr(calls, f"{form.name}_widen")(pointer(bits), pointer(got), ctypes.c_long(65536))

    expected = form.values(bits).astype(np.float32)
    number = ~np.isnan(expected)

    assert np.array_equal(got[number].view(np.uint32), expected[number].view(np.uint32))
    assert np.isnan(got[~number]).all()


@pytest.mark.parametrize("how", ["hardware", "software"])
def test_float_to_half_agrees_with_numpy(libraries: dict[str, ctypes.CDLL], how: str) -> None:
    """Twenty million floats of every exponent round to the half that NumPy has for them."""
    calls = libraries[how]
    rng = np.random.default_rng(1)
    for _ in range(5):
        value = rng.integers(0, 2**32, 4_000_000, dtype=np.uint32).view(np.float32)
        value[::2] = (value[::2].view(np.uint32) & 0x8FFFFFFF | 0x30000000).view(np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            expected = value.astype(np.float16).view(np.uint16)
        assert_same(call(calls.half_from_float, 0, value), expected, HALF)


@pytest.mark.parametrize("mode", MODES)
def test_float_is_rounded_in_every_direction(subject: Subject, mode: str) -> None:
    """Values, midpoints, their neighbours, overflow, infinity, NaN and a million others."""
    form, calls = subject
    middle = ((form.grid[1:] + form.grid[:-1]) / 2).astype(np.float32)
    exact = form.grid[:-1].astype(np.float32)
    rng = np.random.default_rng(2)
    other = rng.integers(0, 2**32, 1_000_000, dtype=np.uint32).view(np.float32)
    zero, inf = np.float32(0), np.float32(np.inf)
    near = [exact, middle, np.nextafter(middle, zero), np.nextafter(middle, inf)]
    value = np.concatenate([*near, np.array([0, np.inf, np.nan], np.float32), other])
    value = np.concatenate([value, -value])

    got = call(getattr(calls, f"{form.name}_from_float"), MODES.index(mode), value)

    with np.errstate(invalid="ignore"):
        assert_same(got, form.rounded(value.astype(np.float64), mode), form)


def test_double_is_rounded_once(subject: Subject) -> None:
    """A double just beside a midpoint does not land on it by way of float."""
    form, calls = subject
    middle = (form.grid[1:] + form.grid[:-1]) / 2
    value = np.concatenate([middle, np.nextafter(middle, 0), np.nextafter(middle, np.inf)])
    rng = np.random.default_rng(3)
    value = np.append(
        value, rng.standard_normal(1_000_000) * 10.0 ** rng.integers(-9, 6, 1_000_000)
    )
    value = np.concatenate([value, -value])

    assert_same(call(getattr(calls, f"{form.name}_from_double"), value), form.rounded(value), form)


def test_integers_are_rounded_once(subject: Subject) -> None:
    """A 64-bit integer just above a midpoint is rounded up, whatever a double makes of it."""
    form, calls = subject
    rng = np.random.default_rng(4)
    value = rng.integers(-(2**63), 2**63 - 1, 20_000) >> rng.integers(0, 63, 20_000)
    ties = (np.int64(2 * 128 + 1) << np.arange(0, 53)) | 1
    value = np.concatenate([value, ties, -ties, ties - 1])

    got = call(getattr(calls, f"{form.name}_from_integer"), value)

    expected = [
        (form.rounded_integer(abs(one), 0) if one else 0) | (0x8000 if one < 0 else 0)
        for one in value.tolist()
    ]
    assert_same(got, np.array(expected, np.uint16), form)


@pytest.mark.parametrize("operation", BINARY)
def test_arithmetic_is_rounded_once(subject: Subject, operation: str) -> None:
    """Of a million pairs, special values included, each result is the nearest to the exact one."""
    form, calls = subject
    rng = np.random.default_rng(5)
    a, b = random_bits(rng, 1_000_000), random_bits(rng, 1_000_000)
    # Half of them with exponents that meet, where rounding and cancellation happen.
    b[::2] = (a[::2] & ~np.uint16(0x8000)) ^ (b[::2] & np.uint16(0x83FF))
    got = call(getattr(calls, f"{form.name}_binary"), BINARY.index(operation), a, b)

    x, y = form.values(a), form.values(b)
    with np.errstate(all="ignore"):
        exact = {"add": x + y, "sub": x - y, "mul": x * y, "div": x / y}[operation]
    assert_same(got, form.rounded(exact), form)


def test_fma_is_rounded_once(subject: Subject) -> None:
    """a * b + c is exact until its one rounding: random, and a hair beside midpoints."""
    form, calls = subject
    rng = np.random.default_rng(6)
    n, p = 30_000, form.fraction_bits
    a, b, c = (random_bits(rng, n) for _ in range(3))
    # a b is nearly half a unit in the last place of c: the case that two roundings get wrong.
    bias = ((form.infinity >> p) - 1) // 2
    a[: n // 2] = (bias << p) + rng.integers(0, 1 << p, n // 2)
    factor = 2.0 ** -(p + 1) / form.values(a[: n // 2])
    b[: n // 2] = form.rounded(factor) ^ (rng.integers(0, 2, n // 2) << 15).astype(np.uint16)
    c[: n // 2] = (bias << p) + rng.integers(0, 1 << p, n // 2)
    finite = ((a & 0x7FFF) < form.infinity) & ((b & 0x7FFF) < form.infinity)
    finite &= (c & 0x7FFF) < form.infinity
    a, b, c = a[finite], b[finite], c[finite]

    got = call(getattr(calls, f"{form.name}_fma"), a, b, c)

    expected = []
    for x, y, z in zip(form.integers(a), form.integers(b), form.integers(c), strict=True):
        total = x * y + (z << -form.smallest_power)
        size = form.rounded_integer(abs(total), 2 * form.smallest_power) if total else 0
        expected.append(size | (0x8000 if total < 0 else 0))
    zero = np.array(expected) & 0x7FFF == 0  # the sign of a zero sum: as float64 has it
    signed = np.where(zero, got, expected).astype(np.uint16)
    assert_same(got, signed, form)
    assert np.array_equal(got[zero] & 0x7FFF, np.zeros(zero.sum()))
    assert len(got) > 20_000


@pytest.mark.parametrize("function", UNARY)
def test_elementary_functions_are_the_nearest(subject: Subject, function: str) -> None:
    """For all 65,536 arguments the result is the number nearest to the function's value."""
    form, calls = subject
    bits = np.arange(65536).astype(np.uint16)
    got = call(getattr(calls, f"{form.name}_unary"), UNARY.index(function), bits)

    x = form.values(bits)
    with np.errstate(all="ignore"):
        if function in ("rsqrt", "rcp"):
            exact = 1 / (np.sqrt(x) if function == "rsqrt" else x)
        else:
            exact = getattr(np, function)(x)
    assert_same(got, form.rounded(exact), form)


def test_conversion_has_a_software_form(tmp_path: Path) -> None:
    """Without _Float16 or F16C, half.h converts by itself: no instruction, no library call."""
    source, to = str(cuda_programs.SOURCES / "narrow_calls.cpp"), tmp_path / "narrow.s"
    flags = [one for one in cuda_programs.FLAGS if one != "-g1"]

    done = cuda_programs.run_compiler(*flags, "-U__FLT16_MAX__", "-S", source, "-o", str(to))

    assert done.returncode == 0, done.stderr
    assembly = to.read_text()
    assert "half_from_float" in assembly
    assert "vcvtps2ph" not in assembly
    assert "__truncsfhf2" not in assembly
