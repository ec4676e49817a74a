"""One arena of device memory for all calls, which judge and worker both reach.

    |cb .. cb| A's bytes |cb .. cb| B's bytes |cb .. cb| C poisoned or filled |cb .. cb|
     guard     ^ 256-byte aligned, at a fresh place each call                   guard

Each call's arrays are laid out anew with guard bands between them; afterwards the whole range comes
back in one copy, and guards, inputs and outputs are looked at on the host.  judge/gpumemory.py is
the memory itself.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from judge.arena import CANARY, FLOAT_POISON, INTEGER_POISON
from judge.beyond import beside
from judge.counted import counted
from judge.gpumemory import IpcMemory, SharedMemory
from judge.model import Argument, Array, CallData, JudgeError

ALIGNMENT = 256
"""Of every array, as cudaMalloc's pointers are; its last bytes may be followed by guard at once."""
GUARD_BYTES = 64 << 10
"""Between two arrays.  What is overrun further lands in other arrays of the same call."""
_PLACES = 64


@dataclass(frozen=True)
class Extent:
    """Where an array lies in the arena: `bytes` bytes from `offset`."""

    name: str
    offset: int
    bytes: int

    @property
    def end(self) -> int:
        """One past its last byte."""
        return self.offset + self.bytes


@dataclass(frozen=True)
class Layout:
    """The arrays of one call, in order, in arena bytes [start, end), guard bands at both ends."""

    start: int
    end: int
    extents: Mapping[str, Extent]

    def guards(self) -> list[tuple[str, int, int]]:
        """(sentence part, start, end) of each band between, before and after the arrays."""
        bands, at, before = [], self.start, ""
        for extent in self.extents.values():
            where = f"between {before} and {extent.name}" if before else f"before {extent.name}"
            bands.append((where, at, extent.offset))
            at, before = extent.end, extent.name
        return [*bands, (f"past the end of {before}", at, self.end)]


class DeviceArena:
    """Device memory that holds the current call's arrays and nothing else."""

    def __init__(self, memory: IpcMemory | SharedMemory) -> None:
        self.memory = memory

    def lay_out(
        self, sizes: Mapping[str, int], like: Layout | None = None, start: int | None = None
    ) -> Layout:
        """Places for arrays of these bytes: fresh, those of `like` if it fits, or from `start`.

        Raises JudgeError if they are larger than the arena.
        """
        if like and {name: one.bytes for name, one in like.extents.items()} == dict(sizes):
            return like
        room = self.memory.capacity - self.span(sizes)
        if room < (start or 0):
            raise JudgeError(
                f"arrays of {counted(sum(sizes.values()), 'byte')} do not fit the GPU arena"
            )
        if start is None:
            start = secrets.randbelow(min(_PLACES, room // ALIGNMENT + 1)) * ALIGNMENT
        extents, at = {}, start + GUARD_BYTES
        for name, size in sizes.items():
            extents[name] = Extent(name, at, size)
            at = _round_up(at + size, ALIGNMENT) + GUARD_BYTES
        return Layout(start, at, extents)

    @staticmethod
    def span(sizes: Mapping[str, int]) -> int:
        """Bytes that arrays of these bytes take with their guard bands."""
        return GUARD_BYTES + sum(_round_up(s, ALIGNMENT) + GUARD_BYTES for s in sizes.values())

    def write(self, layout: Layout, signature: tuple[Argument, ...], data: CallData) -> None:
        """Guards everywhere, arrays filled or poisoned."""
        self.memory.fill(layout.start, CANARY, layout.end - layout.start)
        for one in signature:
            if one.is_array:
                self.write_one(layout.extents[one.name], one, data.before(one))

    def write_one(
        self, extent: Extent, argument: Argument, content: Array | None, twin: int = 0
    ) -> None:
        """One array: its content, or poison where it has none.

        twin: the address of the same content on the judge's device, if it lies there
        """
        if content is None:
            poison = FLOAT_POISON if argument.dtype.is_float else INTEGER_POISON
            self.memory.fill(extent.offset, poison, extent.bytes)
        elif twin:
            self.memory.restore(extent.offset, content, twin)
        else:
            self.memory.upload(extent.offset, content)

    def read(self, layout: Layout) -> Array:
        """The whole range of a call, guards and all, as bytes on the host."""
        return self.memory.download(layout.start, layout.end - layout.start)

    def close(self) -> None:
        """Free the memory."""
        self.memory.close()


def overwritten(layout: Layout, content: Array, itemsizes: Mapping[str, int]) -> tuple[str, ...]:
    """A sentence for each guard band of `content` (as `read` returns it) that was written.

    itemsizes: bytes of an element of each array
    """
    told = []
    arrays = list(layout.extents.values())
    sides = zip([None, *arrays], [*arrays, None], strict=True)
    for (where, start, end), (before, after) in zip(layout.guards(), sides, strict=True):
        changed = np.flatnonzero(content[start - layout.start : end - layout.start] != CANARY)
        if not changed.size:
            continue
        first, last = start + int(changed[0]), start + int(changed[-1])
        # Told of the array that is nearer: it is the one that was overrun.
        if before is not None and (after is None or first - start <= end - last):
            array, at = before, ("first", first - before.offset)
        else:
            assert after is not None
            array, at = after, ("last", last - after.offset)
        told.append(
            f"{counted(changed.size, 'byte')} {where} changed, "
            f"{beside(*at, itemsizes[array.name])} of {array.name}, which has "
            f"{counted(array.bytes, 'byte')}"
        )
    return tuple(told)


def array_of(layout: Layout, content: Array, argument: Argument, shape: tuple[int, ...]) -> Array:
    """One array of `content`, in its storage dtype; a copy of the judge's own."""
    extent = layout.extents[argument.name]
    part = content[extent.offset - layout.start : extent.end - layout.start].copy()
    typed: Array = part.view(argument.dtype.storage).reshape(shape)
    return typed


def same_bytes(one: Array, other: Array) -> bool:
    """Whether two arrays hold the same bytes: NaN equals NaN, and 0 is not -0."""
    left, right = (np.ascontiguousarray(a).reshape(-1).view(np.uint8) for a in (one, other))
    return bool(np.array_equal(left, right))


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
