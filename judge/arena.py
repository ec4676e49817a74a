"""The memory that judge and worker share: one file in memory, laid out anew for every call.

    slot of A (whole pages)                            slot of B
    |cb cb .. cb| A's bytes, 16-byte aligned |cb cb|   |cb .. cb| B's bytes |
     canaries    ^ start            slack < 16 ^ end of the slot = guard page in the worker

The arena belongs to the judge.  It holds the current call's arrays and nothing else: the pages of
the call before are given back before new ones are filled.  Its size is sealed, so that a worker
cannot shrink it under the judge's feet.
"""

from __future__ import annotations

import mmap
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from judge.beyond import beside
from judge.counted import counted
from judge.memfile import MemoryFile
from judge.model import Array, Dtype, JudgeError

PAGE = mmap.PAGESIZE
ALIGNMENT = 16
CANARY = 0xCB
FLOAT_POISON = 0xFF
"""Every float of these bytes is a NaN."""
INTEGER_POISON = 0xA5

_GAP_PAGES = 16


@dataclass(frozen=True)
class Slot:
    """Where an array lies in the arena: bytes [start, start + bytes) of [offset, offset + size)."""

    name: str
    offset: int
    size: int
    bytes: int

    @property
    def start(self) -> int:
        """The array's first byte."""
        return self.offset + self.size - _round_up(self.bytes, ALIGNMENT)

    @property
    def end(self) -> int:
        """One past the array's last byte."""
        return self.start + self.bytes


class Arena:
    """A file in memory of `capacity` bytes, of which only what is filled takes memory."""

    def __init__(self, capacity: int) -> None:
        """Raises JudgeError where the system has no memory files."""
        self.capacity = _round_up(capacity, PAGE)
        self._file = MemoryFile(self.capacity)
        self._cursor = 0

    def lay_out(self, sizes: Mapping[str, int]) -> dict[str, Slot]:
        """A slot at a fresh offset for each array, by its size in bytes; the last ones are gone.

        Raises JudgeError if the arrays are larger than the arena.
        """
        self.clear()
        pages = {name: max(PAGE, _round_up(size, PAGE)) for name, size in sizes.items()}
        gaps = [PAGE * (1 + secrets.randbelow(_GAP_PAGES)) for _ in pages]
        total = sum(pages.values()) + sum(gaps)
        if total > self.capacity:
            raise JudgeError(
                f"arena: arrays of {counted(sum(sizes.values()), 'byte')}: got an arena of "
                f"{counted(self.capacity, 'byte')}; raise limits: memory_mib in the spec or judge "
                "smaller sizes"
            )
        if self._cursor + total > self.capacity:
            self._cursor = 0
        slots = {}
        for (name, size), gap in zip(pages.items(), gaps, strict=True):
            slots[name] = Slot(name, self._cursor + gap, size, sizes[name])
            self._cursor += gap + size
        return slots

    def fill(self, slot: Slot, content: Array) -> None:
        """Put an array of exactly `slot.bytes` bytes in its slot, canaries around it."""
        self._guard(slot)
        self._bytes[slot.start : slot.end] = _flat(content)

    def poison(self, slot: Slot, dtype: Dtype) -> None:
        """Fill an output with what no right answer looks like, canaries around it."""
        self._guard(slot)
        self._bytes[slot.start : slot.end] = FLOAT_POISON if dtype.is_float else INTEGER_POISON

    def overwritten(self, slot: Slot, itemsize: int) -> str:
        """One sentence naming the canaries that were written, or an empty string.

        itemsize: bytes of an element of the array
        """
        before = np.flatnonzero(self._bytes[slot.offset : slot.start] != CANARY)
        after = np.flatnonzero(self._bytes[slot.end : slot.offset + slot.size] != CANARY)
        places = []
        if after.size:
            at = beside("first", slot.bytes + int(after[0]), itemsize)
            places.append(f"{counted(after.size, 'byte')} past its end changed, {at}")
        if before.size:
            last = int(before[-1]) - (slot.start - slot.offset)
            at = beside("last", last, itemsize)
            places.append(f"{counted(before.size, 'byte')} before its start changed, {at}")
        if not places:
            return ""
        size = counted(slot.bytes, "byte")
        return f"{slot.name}, which has {size}, was overrun: {' and '.join(places)}"

    def changed(self, slot: Slot, content: Array) -> bool:
        """Whether an array's bytes are no longer these."""
        now, then = self._bytes[slot.start : slot.end], _flat(content)
        whole = slot.bytes // 8 * 8  # eight bytes at a time where there are eight
        same = np.array_equal(now[:whole].view(np.uint64), then[:whole].view(np.uint64))
        return not same or not np.array_equal(now[whole:], then[whole:])

    def copy(self, slot: Slot, dtype: Dtype, shape: tuple[int, ...]) -> Array:
        """The judge's own copy of an array; what the worker writes later does not reach it."""
        content: Array = self._bytes[slot.start : slot.end].copy()
        return content.view(dtype.storage).reshape(shape)

    @property
    def fd(self) -> int:
        """The descriptor, for a worker to inherit."""
        return self._file.fd

    def taken_bytes(self) -> int:
        """Memory the arena takes now, whoever filled it."""
        return self._file.taken_bytes()

    def clear(self) -> None:
        """Give back every page, also those that the worker filled where no slot was."""
        self._file.clear()

    def close(self) -> None:
        """Give everything back; may be called twice."""
        self._file.close()

    @property
    def _bytes(self) -> Array:
        return self._file.bytes

    def _guard(self, slot: Slot) -> None:
        self._bytes[slot.offset : slot.start] = CANARY
        self._bytes[slot.end : slot.offset + slot.size] = CANARY


def _flat(content: Array) -> Array:
    """The bytes of an array, row-major."""
    return np.ascontiguousarray(content).reshape(-1).view(np.uint8)


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
