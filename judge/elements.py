"""The number formats: what an element type can hold, and how numbers get in and out of it.

Pure arithmetic on arrays; the same bits on every machine and NumPy version.  Storage is NumPy's own
type, and uint16 for bfloat16.
"""

from __future__ import annotations

import numpy as np

from judge.model import Array, Dtype

# Bits of the significand, the leading one included, and the least exponent of a normal number.
_FORMATS = {
    Dtype.FLOAT16: (11, -14),
    Dtype.BFLOAT16: (8, -126),
    Dtype.FLOAT32: (24, -126),
    Dtype.FLOAT64: (53, -1022),
}
_EXACT = 2**53  # integers pass through float64 up to here


def significand_bits(dtype: Dtype) -> int:
    """Bits of the significand of a floating-point type, the leading one included."""
    return _FORMATS[dtype][0]


def unit_roundoff(dtype: Dtype) -> float:
    """u: the largest relative error of rounding to nearest (float16 2**-11)."""
    return 2.0 ** -significand_bits(dtype)


def least_subnormal(dtype: Dtype) -> float:
    """eta: the smallest positive number (float16 2**-24)."""
    bits, exponent = _FORMATS[dtype]
    return 2.0 ** (exponent - bits + 1)


def largest(dtype: Dtype) -> float:
    """The largest finite value."""
    if dtype is Dtype.BFLOAT16:
        return (2 - 2.0**-7) * 2.0**127
    info = np.finfo(dtype.storage) if dtype.is_float else np.iinfo(dtype.storage)
    return float(info.max)


def integer_range(dtype: Dtype) -> tuple[int, int]:
    """The integers a type holds without gaps, within +-2**53."""
    if dtype.is_float:
        bound = 2 ** significand_bits(dtype)
        return -bound, bound
    info = np.iinfo(dtype.storage)
    return max(int(info.min), -_EXACT), min(int(info.max), _EXACT)


def ulp(value: Array, dtype: Dtype) -> Array:
    """The distance between neighbouring numbers of a floating-point type at |value|, float64."""
    bits, least = _FORMATS[dtype]
    _, exponent = np.frexp(value)  # |value| = m * 2**exponent, 0.5 <= m < 1
    exponent = np.where(value == 0, least, exponent)
    spacing: Array = np.ldexp(1.0, np.maximum(exponent - 1, least) - (bits - 1))
    return spacing


def decode(stored: Array, dtype: Dtype) -> Array:
    """Storage to numbers: float64 for floating-point types, integers as they are."""
    if not dtype.is_float:
        return stored
    numbers = stored
    if dtype is Dtype.BFLOAT16:
        numbers = (stored.astype(np.uint32) << np.uint32(16)).view(np.float32)
    with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN
        return numbers.astype(np.float64)


def encode(values: Array, dtype: Dtype) -> Array:
    """Numbers to storage, rounded to nearest, ties to even, once; too large becomes infinity."""
    with np.errstate(over="ignore"):
        if dtype is not Dtype.BFLOAT16:
            return values.astype(dtype.storage)
        exact = np.asarray(values, dtype=np.float64)
        single = exact.astype(np.float32)
    bits = single.view(np.uint32).astype(np.int64)
    # Rounding to float32 first may land on a tie that the number itself was not on: step off it.
    tie = (bits & 0xFFFF) == 0x8000
    bits += tie & (np.abs(exact) > np.abs(single))
    bits -= tie & (np.abs(exact) < np.abs(single))
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(exact), 0x7FC0, rounded).astype(np.uint16)


def rounded(values: Array, dtype: Dtype) -> Array:
    """Numbers as the type would hold them: float64 in and out for floating-point types."""
    return decode(encode(values, dtype), dtype)
