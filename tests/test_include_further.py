"""The smaller headers of the CPU backend: parts of words, complex numbers, 8-bit floats, groups."""

from __future__ import annotations

import ctypes
from pathlib import Path

import cuda_programs
import numpy as np
import pytest
from numpy.typing import NDArray

FORMATS = {0: (4, 3, 448.0), 1: (5, 2, 57344.0)}  # exponent bits, fraction bits, largest


@pytest.mark.parametrize("name", ["further", "cub", "thrust", "libcu", "language"])
def test_headers_do_what_they_claim(name: str, tmp_path: Path) -> None:
    """Every claim of these programs holds."""
    cuda_programs.hold_claims(name, tmp_path)


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["ptx", "further", "cub", "thrust", "libcu", "language"])
def test_a_gpu_agrees_with_the_claims(name: str, tmp_path: Path) -> None:
    """The claims say what a GPU does."""
    assert cuda_programs.claims_on_a_gpu(name, tmp_path) == "AC"


@pytest.fixture(scope="module")
def fp8(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """fp8_calls.cpp with the CPU backend's headers."""
    to = tmp_path_factory.mktemp("fp8") / "fp8.so"
    runtime = str(cuda_programs.cpubuild.runtime_library())
    return ctypes.CDLL(
        str(cuda_programs.library(cuda_programs.SOURCES / "fp8_calls.cpp", to, runtime))
    )


def pointer(array: NDArray[np.generic]) -> ctypes.c_void_p:
    """The address of an array's data."""
    return array.ctypes.data_as(ctypes.c_void_p)


def numbers(kind: int) -> NDArray[np.float64]:
    """What each of the 256 patterns is worth, by the definition of the format."""
    exponent_bits, fraction_bits, _ = FORMATS[kind]
    pattern = np.arange(256)
    bias = 2 ** (exponent_bits - 1) - 1
    exponent = (pattern >> fraction_bits) % 2**exponent_bits
    fraction = (pattern % 2**fraction_bits) / 2**fraction_bits
    normal = (1 + fraction) * 2.0 ** (exponent - bias)
    value = np.where(exponent == 0, fraction * 2.0 ** (1 - bias), normal)
    if kind == 0:
        value[pattern % 128 == 127] = np.nan
    else:
        value[exponent == 31] = np.where(fraction[exponent == 31] == 0, np.inf, np.nan)
    return np.where(pattern >= 128, -value, value)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_8_bit_float_is_worth_what_its_format_says(kind: int, fp8: ctypes.CDLL) -> None:
    """All 256 patterns of E4M3 and E5M2."""
    patterns, got = np.arange(256, dtype=np.uint8), np.zeros(256, np.float32)
    fp8.widen(pointer(patterns), pointer(got), ctypes.c_long(256), kind)

    assert np.array_equal(got, numbers(kind).astype(np.float32), equal_nan=True)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("saturate", [0, 1])
def test_a_number_becomes_the_nearest_8_bit_float(
    kind: int, saturate: int, fp8: ctypes.CDLL
) -> None:
    """Ties go to the even pattern; beyond the largest it is that, or else infinity or NaN."""
    largest = FORMATS[kind][2]
    finite = np.unique(numbers(kind)[np.isfinite(numbers(kind))])
    middles = (finite[1:] + finite[:-1]) / 2
    given = np.concatenate(
        [finite, middles, np.nextafter(middles, np.inf), np.nextafter(middles, -np.inf)]
    )
    got = np.zeros(len(given), np.uint8)
    fp8.narrow(pointer(given), pointer(got), ctypes.c_long(len(given)), kind, saturate)

    error = np.abs(given[:, None] - numbers(kind)[None, :])
    error[np.isnan(error) | np.isinf(error)] = np.inf
    nearest = error == error.min(axis=1, keepdims=True)
    even = nearest & (np.arange(256) % 2 == 0)
    wanted = np.where((nearest.sum(axis=1) > 1)[:, None] & (given != 0)[:, None], even, nearest)
    assert wanted[np.arange(len(given)), got].all()
    for value, pattern in ((1e9, 0x7F if kind == 0 else 0x7C), (np.nextafter(largest, 0), None)):
        one, out = np.array([value]), np.zeros(1, np.uint8)
        fp8.narrow(pointer(one), pointer(out), ctypes.c_long(1), kind, saturate)
        expected = pattern if pattern is not None and not saturate else 0x7E if kind == 0 else 0x7B
        assert out[0] == expected


def test_pairs_and_quadruples_keep_their_order(fp8: ctypes.CDLL) -> None:
    """The first member lies in the lowest byte; too large becomes the largest."""
    data, values = np.zeros(8, np.uint8), np.zeros(8, np.float32)
    fp8.together(pointer(data), pointer(values))

    assert data.tolist() == [56, 194, 126, 5, 60, 193, 100, 33]
    assert values.tolist() == [1, -2.5, 448, 0.009765625, 1, -2.5, 1024, 0.009765625]
