"""A Speed as JSON has it: the `speed` of judge/schemas/report.schema.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from judge.model import KernelUse, Speed, TimedCase, Timing


def speed(told: Speed | None) -> dict[str, Any] | None:
    """All of it; None where nothing was timed."""
    if told is None:
        return None
    return {
        "timed": [_timed(one) for one in told.timed],
        "kernels": [_kernel(one) for one in told.kernels],
        "peaks": asdict(told.peaks),
        "before": asdict(told.before),
        "after": asdict(told.after),
    }


def _timed(timed: TimedCase) -> dict[str, Any]:
    return {
        "sizes": dict(timed.sizes),
        "cold": _timing(timed.cold),
        "warm": _timing(timed.warm),
        "slope_us": timed.slope_us,
        "overhead_us": timed.overhead_us,
        "operations": timed.operations,
        "bytes": timed.bytes,
        "floor_us": timed.floor_us,
        "tera_per_s": timed.tera_per_s,
        "giga_bytes_per_s": timed.giga_bytes_per_s,
        "roofline": timed.roofline,
        "doubt": timed.doubt,
        "baselines": [asdict(one) for one in timed.baselines],
    }


def _timing(timing: Timing) -> dict[str, Any]:
    told = asdict(timing)
    del told["cold"]  # it stands under that name
    return told


def _kernel(use: KernelUse) -> dict[str, Any]:
    told = asdict(use)
    return {**told, "grid": list(use.grid), "block": list(use.block)}
