"""Math functions, intrinsics and conversions that CUDA has and C has not."""

from __future__ import annotations

import ctypes
import itertools
import lzma
import math
import re
import statistics
from collections.abc import Callable

import cuda_programs
import numpy as np
import pytest
from numpy.typing import NDArray

FACTS = cuda_programs.SOURCES / "device_facts.cu"
NORMAL = statistics.NormalDist()


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """math_calls.cpp, compiled."""
    to = tmp_path_factory.mktemp("math") / "math.so"
    loaded = ctypes.CDLL(str(cuda_programs.library(cuda_programs.SOURCES / "math_calls.cpp", to)))
    loaded.call_double.restype = ctypes.c_double
    for name in ("call_float", "powers", "quotient", "least", "greatest"):
        getattr(loaded, name).restype = ctypes.c_float
    return loaded


def at(calls: ctypes.CDLL, name: str, x: float) -> float:
    value: float = calls.call_double(name.encode(), ctypes.c_double(x))
    return value


def at_float(calls: ctypes.CDLL, name: str, x: float) -> float:
    value: float = calls.call_float(name.encode(), ctypes.c_float(x))
    return value


def scaled_erfc(x: float) -> float:
    """exp(x^2) erfc(x): as it is written, or its asymptotic series."""
    if x < 6:
        return math.exp(x * x) * math.erfc(x)
    term, total = 1.0, 0.0
    for k in range(1, 20):
        total += term
        term *= -(2 * k - 1) / (2 * x * x)
    return total / (x * math.sqrt(math.pi))


def bessel_i(order: int, x: float) -> float:
    """The mean of exp(x cos t) cos(order t) over a half turn, by the trapezium rule."""
    n = 200
    angles = [math.pi * k / n for k in range(n + 1)]
    values = [math.exp(x * math.cos(t)) * math.cos(order * t) for t in angles]
    return (sum(values) - (values[0] + values[-1]) / 2) / n


DOUBLE: dict[str, tuple[Callable[[float], float], list[float]]] = {
    "rsqrt": (lambda x: 1 / math.sqrt(x), [1e-300, 0.25, 2, 1e9]),
    "rcbrt": (lambda x: math.copysign(abs(x) ** (-1 / 3), x), [-8, 0.001, 27, 1e30]),
    "normcdf": (lambda x: math.erfc(-x / math.sqrt(2)) / 2, [-30, -3, -0.1, 0, 0.5, 4]),
    "normcdfinv": (NORMAL.inv_cdf, [1e-300, 1e-12, 0.02, 0.02425, 0.3, 0.5, 0.7, 0.99, 0.999999]),
    "erfinv": (lambda y: NORMAL.inv_cdf((y + 1) / 2) / math.sqrt(2), [-0.999, -0.5, 0, 0.2, 0.9]),
    "erfcinv": (lambda y: -NORMAL.inv_cdf(y / 2) / math.sqrt(2), [1e-200, 1e-9, 0.3, 1, 1.7]),
    "erfcx": (scaled_erfc, [-2, 0, 1, 3.9, 4, 5, 24.9, 30, 1000, 1e150]),
    "exp10": (lambda x: 10.0**x, [-300, -1.5, 0, 2, 300]),
    "cyl_bessel_i0": (lambda x: bessel_i(0, x), [-3, 0, 0.5, 40]),
    "cyl_bessel_i1": (lambda x: bessel_i(1, x), [-3, 0, 0.5, 40]),
}


@pytest.mark.parametrize("name", DOUBLE)
def test_double_functions(calls: ctypes.CDLL, name: str) -> None:
    """Each agrees with Python's formula to a few parts in 10^13."""
    formula, arguments = DOUBLE[name]
    for x in arguments:
        assert at(calls, name, x) == pytest.approx(formula(x), rel=2e-13, abs=1e-16), x


def test_sine_and_cosine_of_pi_x_are_exact_where_they_can_be(calls: ctypes.CDLL) -> None:
    """Integers and halves give 0, 1 and -1 however large; elsewhere sin(pi x)."""
    for x, sine, cosine in [(0, 0, 1), (1, 0, -1), (0.5, 1, 0), (1.5, -1, 0), (2**40 + 0.5, 1, 0)]:
        assert (at(calls, "sinpi", x), at(calls, "cospi", x)) == (sine, cosine)
    for x in (0.1, -0.3, 7.77, 100.01):
        assert at(calls, "sinpi", x) == pytest.approx(math.sin(math.pi * x), abs=1e-13)
        assert at(calls, "cospi", x) == pytest.approx(math.cos(math.pi * x), abs=1e-13)
    assert math.isnan(at(calls, "sinpi", math.inf))


FLOAT: dict[str, Callable[[float], float]] = {
    "rsqrtf": lambda x: 1 / math.sqrt(x),
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "rcbrtf": lambda x: x ** (-1 / 3),
    "normcdff": lambda x: math.erfc(-x / math.sqrt(2)) / 2,
    "exp10f": lambda x: 10.0**x,
    "exp10": lambda x: 10.0**x,
    "__expf": math.exp,
    "__exp10f": lambda x: 10.0**x,
    "__logf": math.log,
    "__log2f": math.log2,
    "__log10f": math.log10,
    "__sinf": math.sin,
    "__cosf": math.cos,
    "__tanf": math.tan,
    "__saturatef": lambda x: min(max(x, 0), 1),
    "sqrt": math.sqrt,
    "exp": math.exp,
}


@pytest.mark.parametrize("name", FLOAT)
def test_float_functions(calls: ctypes.CDLL, name: str) -> None:
    """Each is within 2^-22 of the value, its own name or the overload of the double's name."""
    for x in (0.125, 0.7, 1.5, 3.25, 10.5):
        assert at_float(calls, name, x) == pytest.approx(FLOAT[name](x), rel=2.0**-22, abs=2.0**-25)


def test_nan_loses_against_a_number(calls: ctypes.CDLL) -> None:
    """min and max of float follow fminf and fmaxf; __saturatef(NaN) is 0."""
    nan, one = ctypes.c_float(math.nan), ctypes.c_float(1)
    assert [calls.least(nan, one), calls.least(one, nan)] == [1, 1]
    assert [calls.greatest(nan, one), calls.greatest(one, nan)] == [1, 1]
    assert math.isnan(calls.greatest(nan, nan))
    assert at_float(calls, "__saturatef", math.nan) == 0


def test_fast_division_gives_zero_for_huge_divisors(calls: ctypes.CDLL) -> None:
    """__fdividef(x, y) is 0 for y between 2^126 and 2^128, as on the device."""
    assert calls.quotient(ctypes.c_float(3e38), ctypes.c_float(2.0**127)) == 0
    assert calls.quotient(ctypes.c_float(3), ctypes.c_float(4)) == 0.75


def test_sincosf_is_sinf_and_cosf(calls: ctypes.CDLL) -> None:
    """Both spellings fill both results."""
    s, c = ctypes.c_float(), ctypes.c_float()
    assert calls.sine_and_cosine(ctypes.c_float(0.5), ctypes.byref(s), ctypes.byref(c)) == 1
    assert (s.value, c.value) == pytest.approx((math.sin(0.5), math.cos(0.5)), rel=1e-7)


def facts() -> list[tuple[str, str]]:
    """(function, call) of each result of device_facts.cu, in its order."""
    source = re.sub(r"//[^\n]*", "", FACTS.read_text()).replace("\\\n", " ")
    macros = dict(re.findall(r"#define (\w+)(?:\(F\))? +(.*)", source))
    arguments = {
        name: re.findall(r"\(int\)\w+|__int_as_float\(\w+\)|[^\s,]+", macros[name])
        for name in ("FLOATS", "INTEGERS", "LONGS")
    }
    order = [
        *(("OF_FLOAT", "FLOATS", 1), ("OF_TWO_FLOATS", "FLOATS", 2), ("OF_INT", "INTEGERS", 1)),
        *(
            ("OF_TWO_INTS", "INTEGERS", 2),
            ("OF_THREE_INTS", "INTEGERS", 3),
            ("OF_LONG", "LONGS", 1),
        ),
        *(("OF_HALF", "FLOATS", 1), ("OF_TWO_HALVES", "FLOATS", 2), ("OF_BFLOAT16", "FLOATS", 1)),
        ("OF_TWO_HALVES", "FLOATS", 2),
    ]
    found = []
    for functions, kind, count in order:
        values = arguments[kind]
        second = {1: [""], 2: values[1::3], 3: values}[count]
        for function in re.findall(r"F\((\w+)\)", macros[functions]):
            found += [
                (f"{functions} {function}", f"{function}({x}, {y})")
                for x, y in itertools.product(values, second)
            ]
    return found


def is_nan(name: str, bits: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Whether the bits are a NaN, for the function's type of result."""
    group, function = name.split()
    kind = "half" if "HAL" in group else "bfloat16" if "BFLOAT" in group else "float"
    if re.search(r"2half|2bfloat16$|2bfloat16_", function):
        kind = "half" if "2half" in function else "bfloat16"
    if re.search(r"__d(?:add|mul|div)|ll2double", function):
        return (bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000
    if kind == "float":
        return (bits & 0x7FFFFFFF) > 0x7F800000
    return (bits & 0x7FFF) > (0x7C00 if kind == "half" else 0x7F80)


NO_NAN = re.compile(
    r"2(?:int|uint|ll|ull|short|ushort|char|uchar)_|__h(?:is\w+|equ?|neu?|ltu?|geu?)$"
)


def test_device_functions_agree_with_an_h200(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Conversions, roundings, integer and half intrinsics give an H200's bits; NaNs count as one.

    So do zeros of either sign from fminf, fmaxf, min and max, where C leaves the choice open.
    """
    folder = tmp_path_factory.mktemp("facts")
    source = folder / "facts.cpp"
    source.write_text(f'#include <cuda_runtime.h>\n#include "{FACTS}"\n')
    loaded = ctypes.CDLL(str(cuda_programs.library(source, folder / "facts.so")))
    got = np.zeros(100_000, np.uint64)
    count = loaded.device_facts(ctypes.c_void_p(got.ctypes.data))
    packed = (cuda_programs.SOURCES / "device_facts.h200.xz").read_bytes()
    expected = np.frombuffer(lzma.decompress(packed), np.uint64)
    calls = facts()
    assert count == len(expected) == len(calls) > 40_000

    got = got[:count]
    wrong = got != expected
    second = np.array([name.startswith("OF_BFLOAT16") for name, _ in calls]).argmax()
    for name in dict(calls):
        mine = np.array([one == name for one, _ in calls])
        if not NO_NAN.search(name):
            where = [mine]
            if "TWO_HALVES" in name:  # the list is called for half, then for bfloat16
                first = np.arange(count) < second
                where = [mine & first, mine & ~first]
            for part, kind in zip(
                where, (name, name.replace("TWO_HALVES", "BFLOAT16")), strict=False
            ):
                wrong &= ~(part & is_nan(kind, got) & is_nan(kind, expected))
        if name.split()[1] in ("fminf", "fmaxf", "min", "max") and "FLOATS" in name:
            wrong &= ~(mine & (got & 0x7FFFFFFF == 0) & (expected & 0x7FFFFFFF == 0))
    first_few = [(calls[i][1], hex(expected[i]), hex(got[i])) for i in np.flatnonzero(wrong)[:8]]
    assert not wrong.any(), (int(wrong.sum()), first_few)
