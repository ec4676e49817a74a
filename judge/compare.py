"""One output beside its right answer, element by element.

In comes what a call left in a buffer and what should be there; out goes a Comparison: which
elements are wrong, which hold the judge's poison, and the worst one.  Every element is looked at
and is right only if that is shown (`isfinite(got) & (error <= allowed)`), so NaN never passes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judge.elements import decode
from judge.model import Argument, Array, Dtype, Expected, Worst

# Work on this many elements at a time, so that float64 copies stay small beside the arrays.
CHUNK = 1 << 20
# What a backend fills an OUT array with before a call: a NaN payload, and a number nobody picks.
FLOAT_POISON, INTEGER_POISON = 0xFF, 0xA5


@dataclass(frozen=True)
class Comparison:
    """An output, its right answer, and where the two part.

    Shapes: got (storage dtype), wrong and unwritten (Boolean) as the output.
    unwritten: elements that still hold what was in the buffer before the call
    poisoned:  that was the judge's poison
    usage:     the largest error / allowed of all elements
    """

    argument: Argument
    got: Array
    expected: Expected
    wrong: Array
    unwritten: Array
    usage: float
    worst: Worst
    poisoned: bool

    @property
    def values(self) -> Array:
        """What the output holds, as numbers."""
        return decode(self.got, self.argument.dtype)


def compare(
    argument: Argument, got: Array, expected: Expected, initial: Array | None
) -> Comparison:
    """Compare an output with its right answer.

    initial: what the buffer held before the call; None where that was poison.
    The shapes of `got`, `expected` and `initial` agree and hold at least one element.
    """
    size = got.size
    flat, value, allowed = got.reshape(-1), expected.value.reshape(-1), expected.allowed.reshape(-1)
    before = None if initial is None else initial.reshape(-1)
    wrong, unwritten = np.empty(size, dtype=bool), np.empty(size, dtype=bool)
    worst, key = 0, (-1.0, -1.0)
    for start in range(0, size, CHUNK):
        part = slice(start, start + CHUNK)
        blank = poison(argument.dtype) if before is None else before[part]
        unwritten[part] = bits(flat[part]) == bits(blank)
        error, right = judge_elements(
            decode(flat[part], argument.dtype), value[part], allowed[part]
        )
        if argument.dtype.is_float and before is None:
            right &= ~unwritten[part]  # poison is a NaN: no answer, even where NaN is the answer
        wrong[part] = ~right
        usage = _usage(error, allowed[part])
        at = int(np.argmax(np.where(usage == usage.max(), error, -1.0)))
        if (float(usage[at]), float(error[at])) > key:
            worst, key = start + at, (float(usage[at]), float(error[at]))
    index = tuple(int(i) for i in np.unravel_index(worst, got.shape))
    return Comparison(
        argument=argument,
        got=got,
        expected=expected,
        wrong=wrong.reshape(got.shape),
        unwritten=unwritten.reshape(got.shape),
        usage=key[0],
        worst=Worst(
            output=argument.name,
            index=index,
            got=float(decode(flat[worst : worst + 1], argument.dtype)[0]),
            expected=float(value[worst]),
            error=key[1],
            allowed=float(allowed[worst]),
            usage=key[0],
        ),
        poisoned=initial is None,
    )


def judge_elements(got: Array, value: Array, allowed: Array) -> tuple[Array, Array]:
    """The error of each element (inf where only one side is finite) and whether it is right.

    Where the right answer is NaN or infinite, the output must be NaN or the same infinity.
    """
    if np.result_type(got, value).kind in "iu":
        # Larger minus smaller, so that the wrapped difference is exact when read as unsigned.
        larger, smaller = np.maximum(got, value), np.minimum(got, value)
        error = (larger - smaller).view(f"u{larger.dtype.itemsize}").astype(np.float64)
        return error, error <= allowed
    x, r = got.astype(np.float64), value.astype(np.float64)
    finite = np.isfinite(r)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(x - r)
    same = (x == r) | (np.isnan(x) & np.isnan(r))
    error = np.where(finite & np.isfinite(x), error, np.where(same, 0.0, np.inf))
    return error, np.where(finite, np.isfinite(x) & (error <= allowed), same)


def _usage(error: Array, allowed: Array) -> Array:
    """error / allowed, with 0 / 0 = 0: where nothing is allowed and nothing is amiss."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error == 0, 0.0, np.where(error == np.inf, np.inf, error / allowed))


def poison(dtype: Dtype) -> Array:
    """One element of a buffer that was never written, in storage dtype, shape (1,)."""
    byte = FLOAT_POISON if dtype.is_float else INTEGER_POISON
    return np.frombuffer(bytes([byte]) * dtype.itemsize, dtype=dtype.storage)


def bits(stored: Array) -> Array:
    """The same elements as unsigned integers, so that NaN equals NaN and 0 is not -0."""
    return np.ascontiguousarray(stored).view(f"u{stored.dtype.itemsize}")
