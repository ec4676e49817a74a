"""The error function of arrays, in float64: NumPy has none.

    erf(c + d) = erf(c) + 2 / sqrt(pi) * exp(-c**2) * (d - c d**2 + (4 c**2 - 2) d**3 / 6 - ...)

Taylor's series about the nearest point c of a table with spacing 1/256, whose values are the
standard library's.  With |d| <= 1/512 five terms come within 2 units in the last place of float64.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from judge.model import Array

_STEPS = 256  # points a unit
_END = 6  # erf(6) is 1 in float64


@functools.lru_cache(maxsize=1)
def _table() -> tuple[Array, Array]:
    """erf and its derivative at the points of the table."""
    points = np.arange(_END * _STEPS + 1) / _STEPS
    values = np.array([math.erf(point) for point in points])
    return values, 2 / math.sqrt(math.pi) * np.exp(-(points**2))


def erf(x: Array) -> Array:
    """erf of each element; NaN where it is NaN."""
    values, slopes = _table()
    size = np.minimum(np.abs(x), _END)
    index = np.rint(np.nan_to_num(size) * _STEPS).astype(np.int64)
    c = index / _STEPS
    d = size - c
    square = c * c
    series = d * (
        1
        + d
        * (
            -c
            + d
            * (
                (2 * square - 1) / 3
                + d * (-c * (2 * square - 3) / 6 + d * ((4 * square - 12) * square + 3) / 30)
            )
        )
    )
    result: Array = np.copysign(values[index] + slopes[index] * series, x)
    return result
