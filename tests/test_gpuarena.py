"""judge/gpuarena.py: where arrays lie on the device, and what is seen of it after a call."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from fake_gpu import BASE, FakeDevice

from judge.arena import CANARY
from judge.gpuarena import (
    ALIGNMENT,
    GUARD_BYTES,
    DeviceArena,
    Layout,
    array_of,
    overwritten,
    same_bytes,
)
from judge.gpumemory import IpcMemory
from judge.model import Argument, Array, CallData, Case, Dtype, JudgeError, Role

SIZES = {"A": 60, "B": 1000, "C": 12}
SIGNATURE = (
    Argument("A", Dtype.FLOAT32, Role.IN, ("3", "5")),
    Argument("n", Dtype.INT32, Role.AXIS),
    Argument("B", Dtype.INT8, Role.OUT, ("1000",)),
    Argument("C", Dtype.FLOAT16, Role.INOUT, ("6",)),
)
ITEMSIZES = {one.name: one.dtype.itemsize for one in SIGNATURE if one.is_array}


@pytest.fixture
def device() -> FakeDevice:
    """A fake GPU."""
    return FakeDevice()


@pytest.fixture
def arena(device: FakeDevice) -> Iterator[DeviceArena]:
    """Two mebibytes of it."""
    made = DeviceArena(IpcMemory(device.as_device(), 2 << 20))
    yield made
    made.close()


def arrays() -> dict[str, Array]:
    """Content of A and C."""
    return {
        "A": np.arange(15, dtype=np.float32).reshape(3, 5),
        "C": np.arange(6, dtype=np.float16),
    }


def written(arena: DeviceArena) -> tuple[Layout, Array]:
    """A call laid out and filled, and what lies there."""
    layout = arena.lay_out(SIZES)
    arena.write(layout, SIGNATURE, CallData(Case("", "", {}, {}), 0, arrays()))
    return layout, arena.read(layout)


def test_arrays_are_aligned_and_apart(arena: DeviceArena) -> None:
    """Each begins on 256 bytes, as cudaMalloc's, with a guard band on both sides."""
    layout = arena.lay_out(SIZES)

    at = layout.start
    for name, size in SIZES.items():
        extent = layout.extents[name]
        assert extent.bytes == size
        assert extent.offset % ALIGNMENT == 0
        assert extent.offset - at >= GUARD_BYTES
        at = extent.end
    assert layout.end - at >= GUARD_BYTES
    assert layout.end - layout.start == DeviceArena.span(SIZES)
    assert layout.end <= arena.memory.capacity


def test_guards_are_all_that_is_no_array(arena: DeviceArena) -> None:
    """Bands and arrays together cover every byte of the range once."""
    layout = arena.lay_out(SIZES)
    parts = [(start, end) for _, start, end in layout.guards()]
    parts += [(one.offset, one.end) for one in layout.extents.values()]

    ends = sorted(parts)

    assert ends[0][0] == layout.start
    assert ends[-1][1] == layout.end
    assert all(one[1] == other[0] for one, other in itertools.pairwise(ends))


def test_places_are_fresh_unless_asked_for(arena: DeviceArena) -> None:
    """A submission cannot keep an address for later; the second call of a case gets the same."""
    first = arena.lay_out(SIZES)

    assert len({arena.lay_out(SIZES).start for _ in range(60)}) > 10
    assert arena.lay_out(SIZES, like=first) is first
    assert arena.lay_out({**SIZES, "A": 64}, like=first).extents["A"].bytes == 64
    assert arena.lay_out(SIZES, start=512).start == 512


def test_arrays_that_do_not_fit_are_refused(arena: DeviceArena) -> None:
    """What fits to the last byte is laid out; one byte more is the judge's fault, not a crash."""
    most = arena.memory.capacity - 2 * GUARD_BYTES

    assert arena.lay_out({"A": most}).end == arena.memory.capacity
    with pytest.raises(JudgeError, match=f"arrays of {most + 1} bytes do not fit the GPU arena"):
        arena.lay_out({"A": most + 1})
    with pytest.raises(JudgeError, match="do not fit"):
        arena.lay_out({"A": most}, start=ALIGNMENT)


def test_a_fresh_place_is_always_inside(arena: DeviceArena) -> None:
    """Where there is room for three places, all of them are taken and no other."""
    sizes = {"A": arena.memory.capacity - 2 * GUARD_BYTES - 2 * ALIGNMENT}

    ends = {arena.lay_out(sizes).end for _ in range(100)}

    assert ends == {arena.memory.capacity - back * ALIGNMENT for back in range(3)}


def test_inputs_are_filled_and_outputs_poisoned(arena: DeviceArena) -> None:
    """IN and INOUT hold their content; OUT is NaN, or 0xa5 where it is of integers."""
    layout, content = written(arena)
    floats = replace(SIGNATURE[2], dtype=Dtype.FLOAT64)

    a, b, c = (
        array_of(layout, content, one, shape)
        for one, shape in zip(
            (SIGNATURE[0], SIGNATURE[2], SIGNATURE[3]), ((3, 5), (1000,), (6,)), strict=True
        )
    )
    arena.write_one(layout.extents["B"], floats, None)
    poisoned = array_of(layout, arena.read(layout), floats, (125,))

    assert np.array_equal(a, arrays()["A"])
    assert np.array_equal(c, arrays()["C"])
    assert (b.view(np.uint8) == 0xA5).all()
    assert np.isnan(poisoned).all()
    assert overwritten(layout, content, ITEMSIZES) == ()


def test_an_output_that_begins_with_something_is_filled(arena: DeviceArena) -> None:
    """What a spec of `init: zero` or `random` wants there is there, guards and inputs beside it."""
    begun = np.arange(1000, dtype=np.int8)
    layout = arena.lay_out(SIZES)

    arena.write(layout, SIGNATURE, CallData(Case("", "", {}, {}), 0, arrays(), {"B": begun}))

    content = arena.read(layout)
    assert np.array_equal(array_of(layout, content, SIGNATURE[2], (1000,)), begun)
    assert np.array_equal(array_of(layout, content, SIGNATURE[0], (3, 5)), arrays()["A"])
    assert overwritten(layout, content, ITEMSIZES) == ()


def test_only_the_range_of_the_call_is_touched(arena: DeviceArena, device: FakeDevice) -> None:
    """A call moves its own bytes, however large the arena is."""
    device.memory[:] = 7
    layout, content = written(arena)

    start = arena.memory.address - BASE
    assert (device.memory[: start + layout.start] == 7).all()
    assert (device.memory[start + layout.end :] == 7).all()
    assert len(content) == layout.end - layout.start


@pytest.mark.parametrize(
    ("name", "at", "words"),
    [
        ("A", -1, "before A changed, the last at byte -1 (flat index -1) of A, which has 60"),
        (
            "A",
            60,
            "between A and B changed, the first at byte 60 (flat index 15) of A, which has 60",
        ),
        (
            "B",
            1003,
            "between B and C changed, the first at byte 1003 (flat index 1003) of B, "
            "which has 1000",
        ),
        (
            "B",
            -3,
            "between A and B changed, the last at byte -3 (flat index -3) of B, which has 1000",
        ),
        (
            "C",
            12,
            "past the end of C changed, the first at byte 12 (flat index 6) of C, which has 12",
        ),
    ],
)
def test_one_byte_beside_an_array_is_seen(
    arena: DeviceArena, device: FakeDevice, name: str, at: int, words: str
) -> None:
    """The very next byte on either side is a guard."""
    layout, _ = written(arena)
    device.bytes_at(arena.memory.address + layout.extents[name].offset + at, 1)[0] ^= 1

    assert overwritten(layout, arena.read(layout), ITEMSIZES) == (f"1 byte {words} bytes",)


def test_the_guard_is_the_canary(arena: DeviceArena) -> None:
    """A write of the canary itself cannot be told: it is a byte no kernel writes by accident."""
    layout, content = written(arena)

    assert all(
        (content[start - layout.start : end - layout.start] == CANARY).all()
        for _, start, end in layout.guards()
    )


def test_an_output_is_the_judge_s_own_copy(arena: DeviceArena) -> None:
    """What was read does not change with the range it came from."""
    layout, content = written(arena)
    got = array_of(layout, content, SIGNATURE[0], (3, 5))

    content[:] = 0

    assert np.array_equal(got, arrays()["A"])


def test_bytes_are_compared_not_numbers() -> None:
    """A kernel that turns 0 into -0 modified its input; a NaN that stayed did not."""
    nan, zero = np.array([np.nan, 0.0], np.float32), np.array([np.nan, -0.0], np.float32)

    assert same_bytes(nan, nan.copy())
    assert not same_bytes(nan, zero)


def test_what_lies_on_the_device_is_copied_there(arena: DeviceArena, device: FakeDevice) -> None:
    """A content with a twin on the judge's device costs no upload; an output is poison without."""
    layout = arena.lay_out(SIZES)
    twin = device.allocate(12)
    device.upload(int(twin), np.full(12, 7, np.uint8))

    arena.write_one(layout.extents["C"], SIGNATURE[3], arrays()["C"], int(twin))
    arena.write_one(layout.extents["B"], SIGNATURE[2], None, int(twin))

    content = arena.read(layout)
    c, b = (array_of(layout, content, SIGNATURE[n], (-1,)) for n in (3, 2))
    assert (c.view(np.uint8) == 7).all()
    assert (b.view(np.uint8) == 0xA5).all()
