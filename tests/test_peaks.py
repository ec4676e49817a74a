"""judge/peaks.py: what a device can do at best."""

from __future__ import annotations

import pytest

from judge.model import Dtype
from judge.peaks import peaks

H200 = {
    "memory_clock_rate": 3_201_000,  # kHz
    "global_memory_bus_width": 6144,  # bits
    "multiprocessor_count": 132,
    "clock_rate": 1_980_000,  # kHz
}
HALF, SINGLE = Dtype.FLOAT16, Dtype.FLOAT32


def test_bandwidth_is_that_of_the_data_sheet() -> None:
    """An H200 moves 4.9 TB/s (the data sheet says 4.8)."""
    found = peaks((9, 0), H200, HALF, SINGLE)

    assert found.bytes_per_s == pytest.approx(4.917e12, rel=1e-3)


@pytest.mark.parametrize(
    ("dtype", "mhz", "teraflops"),
    # NVIDIA's white paper states tensor cores at 1830 MHz, the other pipes at 1980 MHz.
    [
        (HALF, 1830, 989.4),
        (Dtype.BFLOAT16, 1830, 989.4),
        (SINGLE, 1980, 66.9),
        (Dtype.FLOAT64, 1980, 33.5),
    ],
)
def test_operations_are_those_of_the_white_paper(dtype: Dtype, mhz: int, teraflops: float) -> None:
    """Multiprocessors x clock x the rate of the type, as NVIDIA states it."""
    found = peaks((9, 0), {**H200, "clock_rate": mhz * 1000}, dtype, SINGLE)

    assert found.operations_per_s * 1e-12 == pytest.approx(teraflops, rel=0.002)


def test_the_source_names_pipes_chip_and_clock() -> None:
    """Whoever doubts a roofline reads where it comes from."""
    tensor, single = (peaks((9, 0), H200, one, SINGLE).source for one in (HALF, SINGLE))

    assert tensor == (
        "memory clock x bus width; 4096 tensor-core operations a clock and multiprocessor "
        "(compute capability 9.0) at 1980 MHz"
    )
    assert "256 float32 operations" in single


@pytest.mark.parametrize(
    ("chip", "stand_in"), [((9, 9), "9.0, for 9.9"), ((13, 1), "12.0, for 13.1")]
)
def test_an_unknown_chip_gets_the_nearest_older_one(chip: tuple[int, int], stand_in: str) -> None:
    """A chip the table lacks still gets a roofline, and the source says whose it is."""
    found = peaks(chip, H200, HALF, SINGLE)

    assert f"(compute capability {stand_in})" in found.source
    nearest = {"9": (9, 0), "1": (12, 0)}[stand_in[0]]
    assert found.operations_per_s == peaks(nearest, H200, HALF, SINGLE).operations_per_s


def test_a_chip_older_than_the_table_gets_the_oldest_row() -> None:
    """Maxwell is not in the table: Volta's row stands in, named as such."""
    assert "(compute capability 7.0, for 5.2)" in peaks((5, 2), H200, HALF, SINGLE).source
