"""From a key to the content of an array: the same bytes on every machine and NumPy version.

Random bits are the raw output of the counter-based generator Philox4x64-10 (Salmon et al. 2011),
keyed by a SHA-256 of everything that names the array.  Numbers are made from those integers here,
by exact steps or single IEEE operations: NumPy's own distributions may change between versions.

Distributions, all rounded to the element type once:
    normal [m, s]   sum of four 16-bit uniforms, scaled to mean 0 and standard deviation 1; it ends
                    at +-3.46, so a sum of products has a bound; then times s and plus m
    uniform a, b    53-bit uniform on [a, b)
    wide a, b       normal, each row and each column times a power of two from 2**a to 2**b
    integers a, b   uniform integers, both ends included
    one_hot         a single 1 along the last dimension, at a place that walks over all of them
    ids             see `_ids`
    zero, constant c
    permutation     0, 1, 2, ... in random order
    few n           each one of n numbers: normal ones, or any that an integer type holds
    special [m]     each one of the numbers at the ends of the format, and +-m
    sparse n        n normal numbers, none of them 0, at random places, and 0 elsewhere
    sorted, reversed  another distribution in order, from first to last element
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from judge import elements
from judge.counted import counted
from judge.model import Array, Distribution, Dtype

T = TypeVar("T")


class Stream:
    """Random integers that depend on the words they are named by, and on nothing else."""

    def __init__(self, *words: str) -> None:
        digest = hashlib.sha256("\0".join(words).encode()).digest()
        self._generator = np.random.Philox(key=int.from_bytes(digest[:16], "little"))

    def words(self, count: int) -> Array:
        """`count` 64-bit words, uint64."""
        raw: Array = np.asarray(self._generator.random_raw(count), dtype=np.uint64)
        return raw

    def below(self, bound: int) -> int:
        """An integer from 0 to bound - 1."""
        return int(self.words(1)[0]) % bound

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order."""
        keys = self.words(len(items))
        return [items[i] for i in np.argsort(keys, kind="stable")]


def draw(distribution: Distribution, dtype: Dtype, shape: tuple[int, ...], stream: Stream) -> Array:
    """An array of that shape in storage dtype."""
    count = math.prod(shape)
    if count == 0:
        return np.zeros(shape, dtype=dtype.storage)
    values = _values(distribution, dtype, shape, stream)
    return elements.encode(values.reshape(shape), dtype)


def _values(
    distribution: Distribution, dtype: Dtype, shape: tuple[int, ...], stream: Stream
) -> Array:
    """The numbers before they are rounded.  Raises ValueError where there are none such."""
    count, kind = math.prod(shape), distribution.kind
    if distribution.of is not None:
        inner = np.sort(_values(distribution.of, dtype, shape, stream).reshape(-1))
        return inner if kind == "sorted" else inner[::-1]
    parameters = [float(number) for number in distribution.parameters]
    values: Array
    if kind == "normal":
        values = _normal(count, stream)
        if parameters:
            values = parameters[0] + parameters[1] * values
    elif kind == "uniform":
        low, high = parameters
        unit = (stream.words(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        values = low + (high - low) * unit
    elif kind == "wide":
        values = _wide(shape, int(parameters[0]), int(parameters[1]), stream)
    elif kind == "integers":
        low, high = map(int, distribution.parameters)
        values = low + (stream.words(count) % np.uint64(high - low + 1)).astype(np.int64)
    elif kind == "one_hot":
        values = _one_hot(shape, stream)
    elif kind == "ids":
        values = _ids(count, dtype, stream)
    elif kind == "zero":
        values = np.zeros(count)
    elif kind == "constant":
        values = np.full(count, parameters[0])
    elif kind == "permutation":
        values = _permutation(count, dtype, stream)
    elif kind == "few":
        some = _few(int(parameters[0]), dtype, stream)
        values = some[stream.words(count) % np.uint64(len(some))]
    elif kind == "special":
        some = _special(dtype, parameters)
        values = some[stream.words(count) % np.uint64(len(some))]
    elif kind == "sparse":
        values = _sparse(count, int(parameters[0]), stream)
    else:
        raise ValueError(f"unknown distribution {kind}")
    return values


def _normal(count: int, stream: Stream) -> Array:
    """Four 16-bit uniforms a number: the sum S has mean 2 * 65535 and variance 65536**2 / 3."""
    quarters = stream.words(count).astype("<u8").view("<u2").reshape(count, 4)
    total = quarters[:, 0].astype(np.int64)
    for column in (1, 2, 3):
        total += quarters[:, column]
    centred: Array = (total - 2 * 65535).astype(np.float64)
    return centred * (math.sqrt(3) * 2.0**-16)


def _wide(shape: tuple[int, ...], low: int, high: int, stream: Stream) -> Array:
    rows = shape[-2] if len(shape) > 1 else 1
    exponents = low + (stream.words(rows + shape[-1]) % np.uint64(high - low + 1)).astype(np.int64)
    scale = exponents[:rows, np.newaxis] + exponents[np.newaxis, rows:]
    normal = _normal(math.prod(shape), stream).reshape(-1, rows, shape[-1])
    scaled: Array = np.ldexp(normal, scale.astype(np.int32))
    return scaled


def _one_hot(shape: tuple[int, ...], stream: Stream) -> Array:
    """Row i has its 1 at (start + i * step) mod n, step and n without a common factor."""
    n = shape[-1]
    rows = math.prod(shape[:-1])
    start, step = stream.below(n), 1 + stream.below(n)
    while math.gcd(step, n) != 1:
        step += 1
    values = np.zeros((rows, n))
    values[np.arange(rows), (start + np.arange(rows) * step) % n] = 1
    return values


def _ids(count: int, dtype: Dtype, stream: Stream) -> Array:
    """Numbers that name the element they stand in, all of them exact in the type.

    Element i holds id (start + i) mod P.  Where P integers from 1 on are exact and suffice, id n is
    the number n + 1, and all differ.  A 16-bit float has too few integers for a larger array: there
    id n is the n-th number +-(1 + f) * 2**e with e from -14 to 13, about 57,000 of them in float16
    and 7,200 in bfloat16; small integer types take all their values.  P is then a prime, so equal
    ids lie P elements apart: no wrong row, column or tile nearby holds the value expected.
    """
    low, high = elements.integer_range(dtype)
    start = stream.below(2**31)
    position = start + np.arange(count, dtype=np.int64)
    if count <= high:
        return 1 + position % high
    if not dtype.is_float or elements.significand_bits(dtype) > 16:
        return low + position % _prime_up_to(min(high - low + 1, 2**25))
    fractions = 2 ** (elements.significand_bits(dtype) - 1)
    number = position % _prime_up_to(28 * fractions * 2)
    sign, number = 1 - 2 * (number % 2), number // 2
    exponent = (number // fractions - 14).astype(np.int32)
    ids: Array = sign * np.ldexp(1 + (number % fractions) / fractions, exponent)
    return ids


def _permutation(count: int, dtype: Dtype, stream: Stream) -> Array:
    most = elements.integer_range(dtype)[1]
    if count - 1 > most:
        raise ValueError(
            f"got a permutation of {counted(count, 'element')}, expected at most {most + 1}"
        )
    order: Array = np.argsort(stream.words(count), kind="stable")
    return order


def _few(count: int, dtype: Dtype, stream: Stream) -> Array:
    if dtype.is_float:
        return _normal(count, stream)
    low, high = elements.integer_range(dtype)
    offset = stream.words(count) % np.uint64(high - low + 1)
    numbers: Array = low + offset.astype(np.int64)
    return numbers


def _special(dtype: Dtype, parameters: Sequence[float]) -> Array:
    """What kernels forget: zeros of both signs, denormal numbers, the ends of the range."""
    if not dtype.is_float:
        low, high = elements.integer_range(dtype)
        end = int(parameters[0]) if parameters else high
        negative = () if low == 0 else (-1, -end) if parameters else (-1, low)
        return np.unique([0, 1, end, *negative])
    most = parameters[0] if parameters else elements.largest(dtype) / 4
    eta, bits = elements.least_subnormal(dtype), elements.significand_bits(dtype)
    least = eta * 2.0 ** (bits - 1)
    positive = [0.0, eta, least - eta, least, 1.0, most]
    return np.array([*positive, *(-number for number in positive)])


def _sparse(count: int, full: int, stream: Stream) -> Array:
    if not 0 <= full <= count:
        raise ValueError(
            f"got {counted(full, 'number')} that are not 0 among {counted(count, 'element')}"
        )
    numbers = _normal(full, stream)
    places = np.argsort(stream.words(count), kind="stable")[:full]
    values = np.zeros(count)
    values[places] = np.where(numbers == 0, 1, numbers)
    return values


def _prime_up_to(bound: int) -> int:
    """The largest prime <= bound."""
    while any(bound % divisor == 0 for divisor in range(2, math.isqrt(bound) + 1)):
        bound -= 1
    return bound
