"""Where in its buffer an access lies, or how far it missed it: in bytes, and as the element it is.

A buffer's first byte is byte 0, so that the first one past the end of 120 bytes is byte 120.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.counted import counted
from judge.notes import Note

Layouts = Mapping[str, tuple[tuple[int, ...], int]]
"""Of each array of the signature its dimensions and the bytes of an element."""


def outside(note: Note) -> str:
    """`byte 124 of A, which has 120 bytes: 4 bytes past its end`, of the first byte accessed."""
    text = f"byte {note.offset} of {_sized(note)}"
    past = note.offset - note.bytes
    if note.offset < 0:
        return f"{text}: {counted(-note.offset, 'byte')} before its start"
    if past >= 0:
        return f"{text}: {counted(past, 'byte') if past else 'just'} past its end"
    over = past + note.size
    is_freed = note.buffer.startswith("freed ")
    return text if is_freed or over <= 0 else f"{text}: the last {over} of them past its end"


def inside(note: Note, layouts: Layouts) -> str:
    """`A[3][4]` where the layout is known, else `bytes 8..11 of s (shared memory of 512 bytes)`."""
    index = "".join(_element(note, layouts))
    if index and 0 <= note.offset < note.bytes:
        return index
    last = note.offset + note.size - 1
    which = f"bytes {note.offset}..{last}" if note.size > 1 else f"byte {note.offset}"
    kind = "shared memory of " if note.shared else ""
    of = "" if note.offset == 0 and note.size == note.bytes else f"{which} of "
    return f"{of}{note.buffer} ({kind}{counted(note.bytes, 'byte')})"


def element(note: Note, layouts: Layouts) -> Iterator[str]:
    """Which element an access past the end would be, of an array of several dimensions."""
    shape, _ = layouts.get(note.buffer, ((), 1))
    if note.offset >= note.bytes and len(shape) > 1:
        for index in _element(note, layouts):
            yield f"that is {index}, and {note.buffer} is {' x '.join(map(str, shape))}"


def beside(which: str, byte: int, itemsize: int) -> str:
    """`the first at byte 120 (flat index 30)`: a changed byte beside an array, -1 the one before.

    itemsize: bytes of an element
    """
    return f"the {which} at byte {byte} (flat index {byte // itemsize})"


def _sized(note: Note) -> str:
    kind = " of shared memory" if note.shared else ""
    return f"{note.buffer}, which has {counted(note.bytes, 'byte')}{kind}"


def _element(note: Note, layouts: Layouts) -> Iterator[str]:
    """The element at the offset, by its index in a row-major array; nothing where none is known."""
    shape, itemsize = layouts.get(note.buffer, ((), 1))
    if not shape or note.offset < 0 or min(shape) <= 0:
        return
    rest, index = note.offset // itemsize, []
    for extent in reversed(shape[1:]):
        rest, position = divmod(rest, extent)
        index.append(position)
    yield note.buffer + "".join(f"[{position}]" for position in (rest, *reversed(index)))
