"""What a device can do at best, for the roofline.  Pure: from its attributes, and a table by chip.

Bandwidth is memory clock x bus width x 2 (both edges), as the driver tells them; operations are
multiprocessors x clock x dense fused multiply-adds a clock.
Source of the table: NVIDIA's architecture white papers (A100, H100, Ada, Blackwell), dense, with
float32 accumulation, 2 operations a fused multiply-add.
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.model import Dtype, Peaks

# Operations a clock and multiprocessor: float32 pipes, 16-bit tensor cores.
_RATES = {
    (7, 0): (128, 1024),
    (7, 5): (128, 1024),
    (8, 0): (128, 2048),
    (8, 6): (256, 1024),
    (8, 7): (256, 1024),
    (8, 9): (256, 1024),
    (9, 0): (256, 4096),
    (10, 0): (256, 8192),
    (12, 0): (256, 1024),
}


def peaks(
    capability: tuple[int, int], attributes: Mapping[str, int], dtype: Dtype, accumulate: Dtype
) -> Peaks:
    """Bytes and operations a second at best, and where the numbers come from.

    dtype, accumulate: of the problem's operations; 16-bit inputs may use tensor cores
    A chip that is not in the table gets the nearest older one's rate, and `source` says so.
    """
    bandwidth = (
        attributes["memory_clock_rate"] * 1e3 * attributes["global_memory_bus_width"] / 8 * 2
    )
    known = [c for c in _RATES if c <= capability]
    nearest = max(known) if known else min(_RATES)
    pipes, tensor = _RATES[nearest]
    narrow = dtype in (Dtype.FLOAT16, Dtype.BFLOAT16)
    rate = tensor if narrow else pipes / 2 if dtype is Dtype.FLOAT64 else pipes
    clock_hz = attributes["clock_rate"] * 1e3
    chip = f"compute capability {nearest[0]}.{nearest[1]}"
    return Peaks(
        bytes_per_s=bandwidth,
        operations_per_s=rate * attributes["multiprocessor_count"] * clock_hz,
        source=(
            f"memory clock x bus width; {rate:g} {'tensor-core' if narrow else accumulate.value} "
            f"operations a clock and multiprocessor ({chip}"
            + ("" if nearest == capability else f", for {capability[0]}.{capability[1]}")
            + f") at {clock_hz / 1e6:.0f} MHz"
        ),
    )
