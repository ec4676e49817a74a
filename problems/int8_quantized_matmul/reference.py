"""C = saturate(round((A - zero_point_A) @ (B - zero_point_B) * scales) + zero_point_C).

Sums of at most 255 * 255 * 16384 are exact in float64, whose matrix product is a fast one.
"""

from __future__ import annotations

import numpy as np

LOW, HIGH = -128, 127


def reference(arrays, sizes, scalars):
    return {"C": saturated(np.rint(scaled(arrays, scalars)) + scalars["zero_point_C"])}


def wrong(arrays, sizes, scalars):
    value, zero = scaled(arrays, scalars), scalars["zero_point_C"]
    unshifted = scaled(arrays, {**scalars, "zero_point_A": 0, "zero_point_B": 0})
    inverse = value * scalars["scale_C"] ** 2
    kept = wrapped(arrays, scalars)
    return {
        "the result without the zero points of A and B": {
            "C": saturated(np.rint(unshifted) + zero)
        },
        "the result cut to a whole number, not rounded": {"C": saturated(np.trunc(value) + zero)},
        "the result rounded down, not to the nearest": {"C": saturated(np.floor(value) + zero)},
        "the result wrapped around to 8 bits, not saturated": {"C": np.rint(value) + zero},
        "the result saturated before zero_point_C was added": {
            "C": saturated(saturated(np.rint(value)) + zero)
        },
        "the result saturated at -127": {"C": np.clip(np.rint(value) + zero, -127, HIGH)},
        "the result multiplied by scale_C, not divided": {"C": saturated(np.rint(inverse) + zero)},
        "the result with differences to the zero points kept in 8 bits": {
            "C": saturated(np.rint(kept) + zero)
        },
    }


def scaled(arrays, scalars):
    """The product before it is rounded; (M, N)."""
    a = arrays["A"].astype(np.float64) - scalars["zero_point_A"]
    b = arrays["B"].astype(np.float64) - scalars["zero_point_B"]
    return a @ b * factor(scalars)


def wrapped(arrays, scalars):
    """The same with each difference cut to 8 bits; (M, N)."""
    a = (arrays["A"] - scalars["zero_point_A"]).astype(np.int8).astype(np.float64)
    b = (arrays["B"] - scalars["zero_point_B"]).astype(np.int8).astype(np.float64)
    return a @ b * factor(scalars)


def factor(scalars):
    return scalars["scale_A"] * scalars["scale_B"] / scalars["scale_C"]


def saturated(values):
    return np.clip(values, LOW, HIGH)
