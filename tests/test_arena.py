"""The memory shared with a worker: layout, guards, and that it is the judge's alone."""

from __future__ import annotations

import fcntl
import mmap
import os
from collections.abc import Iterator

import numpy as np
import pytest

from judge.arena import CANARY, PAGE, Arena
from judge.model import Dtype, JudgeError


@pytest.fixture
def arena() -> Iterator[Arena]:
    """An arena of 4 MiB."""
    one = Arena(4 << 20)
    yield one
    one.close()


def poke(arena: Arena, position: int, value: int = 0) -> None:
    """Write a byte as a worker would, through the descriptor."""
    os.pwrite(arena.fd, bytes([value]), position)


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 4095, 4096, 4097, 6466])
def test_array_ends_at_the_end_of_its_slot(arena: Arena, size: int) -> None:
    """Rounded up to 16 bytes, the array touches the page behind its slot; its start is aligned."""
    slot = arena.lay_out({"A": size})["A"]

    assert slot.offset % PAGE == 0
    assert slot.size % PAGE == 0
    assert slot.size >= PAGE
    assert slot.start % 16 == 0
    assert 0 <= slot.offset + slot.size - slot.end < 16
    assert slot.end - slot.start == size


def test_slots_do_not_touch_and_move(arena: Arena) -> None:
    """Arrays of a call are at least a page apart, and the next call's lie elsewhere."""
    first = arena.lay_out({"A": 5000, "B": 10})
    second = arena.lay_out({"A": 5000, "B": 10})

    assert first["B"].offset >= first["A"].offset + first["A"].size + PAGE
    assert first["A"].offset != second["A"].offset


def test_content_comes_back(arena: Arena) -> None:
    """What was filled in is what is copied out, in type and shape."""
    content = np.arange(15, dtype=np.float16).reshape(3, 5)
    slot = arena.lay_out({"A": content.nbytes})["A"]
    arena.fill(slot, content)

    copied = arena.copy(slot, Dtype.FLOAT16, (3, 5))

    assert np.array_equal(content, copied)
    poke(arena, slot.start, 77)
    assert np.array_equal(content, copied)  # the judge's own copy


def test_array_that_is_not_contiguous_is_filled_row_major(arena: Arena) -> None:
    """A transposed view arrives in its own order."""
    content = np.arange(6, dtype=np.int32).reshape(2, 3).T
    slot = arena.lay_out({"A": content.nbytes})["A"]
    arena.fill(slot, content)

    assert np.array_equal(content, arena.copy(slot, Dtype.INT32, (3, 2)))


def test_poison_is_nan_in_every_float_type(arena: Arena) -> None:
    """An output that is never written can pass no check."""
    for dtype in (Dtype.FLOAT16, Dtype.FLOAT32, Dtype.FLOAT64):
        slot = arena.lay_out({"C": 4 * dtype.itemsize})["C"]
        arena.poison(slot, dtype)

        assert np.isnan(arena.copy(slot, dtype, (4,))).all()


def test_poison_of_integers(arena: Arena) -> None:
    """Integers are filled with 0xA5."""
    slot = arena.lay_out({"C": 8})["C"]
    arena.poison(slot, Dtype.INT32)

    assert arena.copy(slot, Dtype.UINT8, (8,)).tolist() == [0xA5] * 8


def test_untouched_guards_say_nothing(arena: Arena) -> None:
    """A filled slot has no complaint."""
    slot = arena.lay_out({"A": 6466})["A"]
    arena.fill(slot, np.zeros(6466, np.uint8))

    assert arena.overwritten(slot, 2) == ""


@pytest.mark.parametrize(
    ("distance", "said"),
    [
        (6466, "1 byte past its end changed, the first at byte 6466 (flat index 3233)"),
        (6468, "1 byte past its end changed, the first at byte 6468 (flat index 3234)"),
        (-1, "1 byte before its start changed, the last at byte -1 (flat index -1)"),
        (-7, "1 byte before its start changed, the last at byte -7 (flat index -4)"),
    ],
)
def test_overrun_is_told_to_the_byte(arena: Arena, distance: int, said: str) -> None:
    """One byte outside an array is seen, and where it is: as a byte and as an index."""
    slot = arena.lay_out({"A": 6466})["A"]
    arena.fill(slot, np.zeros(6466, np.uint8))
    poke(arena, slot.start + distance)

    assert arena.overwritten(slot, 2) == f"A, which has 6466 bytes, was overrun: {said}"


def test_writing_the_canary_itself_is_no_overrun(arena: Arena) -> None:
    """The guards compare bytes; the same byte cannot be told apart."""
    slot = arena.lay_out({"A": 3})["A"]
    arena.fill(slot, np.zeros(3, np.uint8))
    poke(arena, slot.end, CANARY)

    assert arena.overwritten(slot, 2) == ""


@pytest.mark.parametrize("position", [0, 7, 8, 12])
def test_changed_input_is_seen(arena: Arena, position: int) -> None:
    """Any byte of 13 counts, in whole words and in the rest."""
    content = np.arange(13, dtype=np.uint8)
    slot = arena.lay_out({"A": 13})["A"]
    arena.fill(slot, content)
    assert not arena.changed(slot, content)

    poke(arena, slot.start + position, 99)

    assert arena.changed(slot, content)


def test_nan_inputs_compare_by_their_bits(arena: Arena) -> None:
    """An input full of NaN is unchanged if its bytes are."""
    content = np.full(5, np.nan, np.float32)
    slot = arena.lay_out({"A": content.nbytes})["A"]
    arena.fill(slot, content)

    assert not arena.changed(slot, content)


def test_the_last_call_is_gone(arena: Arena) -> None:
    """Neither an old array nor what a worker hid between the slots is there at the next call."""
    slot = arena.lay_out({"A": 64})["A"]
    arena.fill(slot, np.full(64, 7, np.uint8))
    poke(arena, (3 << 20) + 5, 7)

    arena.lay_out({"A": 64})

    assert os.pread(arena.fd, 64, slot.start) == bytes(64)
    assert os.pread(arena.fd, 1, (3 << 20) + 5) == b"\0"
    assert arena.taken_bytes() == 0


def test_worker_cannot_resize_it(arena: Arena) -> None:
    """Shrinking the file would crash the judge, so the kernel refuses, and refuses to unseal it."""
    with pytest.raises(PermissionError):
        os.ftruncate(arena.fd, 0)
    with pytest.raises(PermissionError):
        os.ftruncate(arena.fd, 8 << 20)
    with pytest.raises(PermissionError):
        fcntl.fcntl(arena.fd, 1033, 0x8)  # F_ADD_SEALS, F_SEAL_WRITE


def test_arrays_larger_than_the_arena_are_the_judges_error(arena: Arena) -> None:
    """The message names both sizes and the limit to raise."""
    with pytest.raises(JudgeError, match=r"5242880 bytes: got an arena of 4194304.*memory_mib"):
        arena.lay_out({"A": 5 << 20})


def test_offsets_wrap_around(arena: Arena) -> None:
    """Many calls fit into a small arena, one after the other."""
    for _ in range(50):
        slot = arena.lay_out({"A": 1 << 20})["A"]
        assert slot.offset + slot.size <= arena.capacity


def test_close_gives_the_memory_back() -> None:
    """No descriptor and no mapping stay; closing again does nothing."""
    before = len(os.listdir("/proc/self/fd"))
    one = Arena(mmap.PAGESIZE)
    one.lay_out({})
    one.close()
    one.close()

    assert len(os.listdir("/proc/self/fd")) == before
