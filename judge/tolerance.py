"""The rules that say how far from the right answer an honest kernel may land.

A rule gives `allowed`, the permitted absolute error of each element; an element is right where it
is finite and |out - r| <= allowed.  Nothing here sees an output.
"""

from __future__ import annotations

import math

import numpy as np

from judge import elements
from judge.model import Array, Dtype, Tolerance

SAFETY = 1.05  # s: one rounding alone already uses exactly 1.0


def allowed(
    rule: Tolerance, dtype: Dtype, value: Array, magnitude: Array | None = None, terms: int = 1
) -> Array:
    """The permitted absolute error of each element, in the units of the output; float64.

    Shapes: value, magnitude and the result as the output.
    magnitude: the formula on absolute values, which only the rule `rounding` needs
    terms:     accumulated terms of an element, likewise
    """
    r = np.abs(value).astype(np.float64)
    if rule.rule == "exact":
        return np.zeros(r.shape)
    if rule.rule == "ulp":
        return rule.ulp * elements.ulp(r, dtype) + elements.least_subnormal(dtype)
    if rule.rule == "allclose":
        return rule.atol + rule.rtol * r
    if rule.rule == "rounding" and magnitude is not None:
        return rounding(dtype, rule.accumulate, r, magnitude, terms)
    raise ValueError(f"no bound for rule {rule.rule!r} with magnitude {magnitude is not None}")


def rounding(out: Dtype, accumulate: Dtype, r: Array, magnitude: Array, terms: int) -> Array:
    """What rounding may cost: inputs as given, sums kept in `accumulate`, one rounding to `out`.

        allowed = s * (u_out * |r| + (1 + u_out) * gamma * G + eta_out / 2)
        gamma   = (8 * sqrt(K) + K / 8) * u_acc

    with G the magnitude and K the terms: for GEMM G = |alpha| |A| |B| + |beta| |C|.
    Source: 8 sqrt(K) is the probabilistic bound of Higham and Mary (2019) with a wide constant; K /
    8 covers tensor cores, which truncate while they accumulate.  A model that honest kernels keep
    and kernels of lower precision do not; the guaranteed bound is K * u_acc.
    """
    u_out, u_acc = elements.unit_roundoff(out), elements.unit_roundoff(accumulate)
    gamma = (8 * math.sqrt(terms) + terms / 8) * u_acc
    eta = elements.least_subnormal(out)
    return SAFETY * (u_out * np.abs(r) + (1 + u_out) * gamma * magnitude + eta / 2)
