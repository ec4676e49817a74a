"""judge/occupancy.py: blocks on a multiprocessor, against the toolkit's cuda_occupancy.h (13.0)."""

from __future__ import annotations

import pytest

from judge.occupancy import occupancy

HOPPER = {
    "compute_capability_major": 9,
    "max_threads_per_multiprocessor": 2048,
    "max_blocks_per_multiprocessor": 32,
    "max_registers_per_multiprocessor": 65536,
    "max_shared_memory_per_multiprocessor": 233472,
    "reserved_shared_memory_per_block": 1024,
}
# (threads, registers, bytes of shared memory) -> blocks, as cudaOccMaxActiveBlocksPerMultiprocessor
# says for compute capability 9.0 with all memory given to shared memory; and what it names first.
KNOWN = {
    (256, 64, 8192): (4, "registers"),
    (256, 32, 0): (8, "threads"),
    (32, 16, 0): (32, "blocks"),
    (1024, 64, 0): (1, "registers"),
    (128, 255, 0): (2, "registers"),
    (33, 32, 0): (32, "threads"),
    (96, 40, 0): (16, "registers"),  # 51 warps would fit a single pool: 48 fit four of them
    (96, 48, 0): (13, "registers"),
    (160, 72, 1000): (5, "registers"),
    (224, 56, 0): (5, "registers"),
    (320, 100, 0): (1, "registers"),
    (384, 168, 212992): (1, "registers"),
    (128, 32, 32 * 1024): (6, "shared memory"),
    (128, 32, 100000): (2, "shared memory"),
    (256, 0, 232448): (1, "shared memory"),
}


@pytest.mark.parametrize(("threads", "registers", "shared_bytes"), KNOWN)
def test_blocks_are_those_of_the_occupancy_calculator(
    threads: int, registers: int, shared_bytes: int
) -> None:
    """Blocks and their limit are NVIDIA's own, for launches that each resource limits."""
    found = occupancy(HOPPER, threads=threads, registers=registers, shared_bytes=shared_bytes)

    assert (found.blocks, found.limit) == KNOWN[threads, registers, shared_bytes]


def test_share_counts_whole_warps() -> None:
    """33 threads take two warps each: 32 such blocks fill all 64 warps."""
    assert occupancy(HOPPER, threads=33, registers=32, shared_bytes=0).share == 1.0
    assert occupancy(HOPPER, threads=256, registers=64, shared_bytes=8192).share == 0.5


def test_shared_memory_is_counted_with_what_the_system_keeps() -> None:
    """1024 bytes a block are the system's, and the rest is rounded up to 128 bytes."""
    room = HOPPER["max_shared_memory_per_multiprocessor"]
    for blocks in (3, 5):
        most = room // blocks // 128 * 128 - 1024

        fits = occupancy(HOPPER, threads=32, registers=16, shared_bytes=most)
        over = occupancy(HOPPER, threads=32, registers=16, shared_bytes=most + 1)

        assert (fits.blocks, over.blocks) == (blocks, blocks - 1)


def test_older_chips_round_shared_memory_up_further() -> None:
    """Before compute capability 8 the unit is 256 bytes, and nothing is kept by the system."""
    turing = {
        "compute_capability_major": 7,
        "max_threads_per_multiprocessor": 1024,
        "max_blocks_per_multiprocessor": 16,
        "max_registers_per_multiprocessor": 65536,
        "max_shared_memory_per_multiprocessor": 65536,
    }

    found = occupancy(turing, threads=32, registers=16, shared_bytes=9300)

    assert (found.blocks, found.limit) == (6, "shared memory")  # 6 x 9472; 7 x 9344 would fit
