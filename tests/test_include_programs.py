"""Small CUDA programs on the CPU backend: atomics, wmma, cooperative groups, the runtime API."""

from __future__ import annotations

from pathlib import Path

import cuda_programs
import numpy as np
from numpy.typing import NDArray

THREADS = 64 * 64


def test_atomics_lose_nothing(tmp_path: Path) -> None:
    """4,096 threads on two OS threads leave what any order of atomic steps leaves."""
    got = cuda_programs.outputs("atomics", tmp_path, {"out": [0.0] * 27}, schedules=(0, 7))

    i = np.arange(THREADS)
    expected = [
        *(int((i % 7 - 3).sum()), 2 * THREADS, THREADS, THREADS / 2, THREADS / 4),
        *(THREADS / 4, THREADS / 4, -THREADS / 8, THREADS / 32, THREADS, 4 * THREADS),
        *(-THREADS, -(THREADS - 1), THREADS - 1, THREADS - 1, THREADS - 1, -(THREADS - 1)),
        *(0, 0xFFFF, 2**20 - 1, int(np.bitwise_xor.reduce(i)), THREADS % 10),
        *((-THREADS) % 10, 5, 2.5, 999, 64),
    ]
    assert got["errors"] == [0, 0]
    assert got["buffers"]["out"] == expected


def wmma_case(rows: int, columns: int, a: NDArray[np.float32], b: NDArray[np.float32],
              c: NDArray[np.float32]) -> NDArray[np.float32]:  # fmt: skip
    """2 A B + C in float32 for A rows x 16 and B 16 x columns from the start of each array."""
    left, right = a[: rows * 16].reshape(rows, 16), b[: 16 * columns].reshape(16, columns)
    total: NDArray[np.float32] = 2 * left @ right + c.reshape(rows, columns)
    return total


def test_wmma_multiplies_in_every_shape(tmp_path: Path) -> None:
    """Small integers make every product exact, so layouts and shapes are all that can go wrong."""
    rng = np.random.default_rng(1)
    a, b, c = (rng.integers(-4, 5, n).astype(np.float32) for n in (512, 512, 256))
    arrays = {"a": a.tolist(), "b": b.tolist(), "c": c.tolist(), "out": [0.0] * 1536}

    got = cuda_programs.outputs("wmma", tmp_path, arrays, schedules=(3,))

    out = np.array(got["buffers"]["out"]).reshape(6, 256)
    assert got["errors"] == [0]
    for index, (rows, columns) in enumerate(
        [(16, 16), (16, 16), (16, 16), (32, 8), (8, 32), (16, 16)]
    ):
        expected = wmma_case(rows, columns, a, b, c)
        assert np.array_equal(out[index].reshape(rows, columns), expected), index


def test_cooperative_groups(tmp_path: Path) -> None:
    """Tiles of 8 reduce, vote and shuffle among themselves; the threads present form a group."""
    got = cuda_programs.outputs("groups", tmp_path, {"out": [0.0] * 393}, schedules=(0,))

    out = np.array(got["buffers"]["out"])
    i = np.arange(64)
    tile, rank = i // 8, i % 8
    sums = (tile * 64 + 28).astype(float)
    assert got["errors"] == [0], got["notes"]
    assert np.array_equal(out[:64], sums)
    assert np.array_equal(out[64:128], sums)
    assert np.array_equal(out[128:192], tile * 8 + 7)
    assert np.array_equal(out[192:256], 0xAA + 1000 * tile + 1e5 * (tile == 0))
    assert np.array_equal(out[256:320], (i ^ 1) + 100 * np.where(rank >= 2, i - 2, i))
    third = i[i % 3 == 0]
    first_warp = third[third < 32]
    ranks = np.where(third < 32, third // 3, (third - 33) // 3)
    sizes = np.where(third < 32, len(first_warp), len(third) - len(first_warp))
    assert np.array_equal(out[320 + third], ranks + 100 * sizes)
    assert np.array_equal(out[384:392], np.full(8, 36))
    assert out[392] == 0


def copy_codes() -> list[int]:
    """Of 5 x 5 kinds of memory and 5 directions: a side said to be device may not be plain host."""
    codes = []
    for to in range(5):  # host, pinned, device, managed, symbol
        for source in range(5):
            for kind in range(5):
                wrong = (kind in (1, 3) and to == 0) or (kind in (2, 3) and source == 0)
                codes.append(int(wrong))
    return codes


def test_the_api_answers_as_an_h200(tmp_path: Path) -> None:
    """Copies, fills, frees, symbols, pitches, pointers, events: the same code, call by call."""
    got = cuda_programs.outputs("api", tmp_path, {"out": [-1.0] * 256})

    attributes = [
        (0, 0, -2, 0, 1),
        (0, 1, 0, 1, 1),
        (0, 2, 0, 1, 0),
        (0, 3, 0, 1, 1),
        (0, 2, 0, 1, 0),
    ]
    expected = [
        *([0] * 5 + copy_codes()),
        *(21, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 2, 1, 1, 21, 21),
        *(0, 512, 12, 0),
        *(value for row in attributes for value in row),
        *(400, 0, 1, 400),
        *(0, 0, 0, 101, 0, 0),
        *(1, 0, 0, 1),  # shared memory beyond 48 KB without the opt-in, with it, beyond the limit
        *(0, 8, 0, 2, 0, 1024, 264),
        *(0, 0),
    ]
    answers = got["buffers"]["out"][: len(expected)]
    differing = [
        (i, a, e) for i, (a, e) in enumerate(zip(answers, expected, strict=True)) if a != e
    ]
    assert not differing, (differing, got["notes"])
    assert got["buffers"]["out"][len(expected)] == -1
    assert any("said to be device memory" in note.get("message", "") for note in got["notes"])
