"""What the emulator's runtime says about a call: lines of a pipe to notes.

The runtime writes one JSON object a line on a pipe that the submission can write too.  So a note
explains a verdict or makes it worse, never better (judge/faults.py), and what is not a well-formed
note is dropped.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

from judge.printable import printable

MOST_NOTES = 64
_MOST_TEXT = 200


@dataclass(frozen=True)
class Note:
    """One note, every field of every kind (judge/emu writes them); absent ones are at rest.

    pc:          offset in the submission's library
    offset:      of the access in `buffer`, may be negative
    size:        bytes of the access;  shared: `buffer` is shared memory
    other_*:     the earlier access of a race
    one_warp:    both threads of a race are lanes of one warp
    found_later: the runtime saw the bytes after the call, not the access
    """

    kind: str
    access: str = ""
    address: str = ""
    pc: str = ""
    host: int = 0
    kernel: str = ""
    block: tuple[int, ...] = ()
    thread: tuple[int, ...] = ()
    buffer: str = ""
    offset: int = 0
    bytes: int = 0
    misaligned: int = 0
    found_later: int = 0
    buffer_line: int = 0
    launch_line: int = 0
    error: int = 0
    name: str = ""
    line: int = 0
    other_line: int = 0
    size: int = 0
    shared: int = 0
    other_pc: str = ""
    other_access: str = ""
    other_block: tuple[int, ...] = ()
    other_thread: tuple[int, ...] = ()
    one_warp: int = 0
    message: str = ""
    reason: str = ""
    empty: int = 0
    asked: int = 0
    limit: int = 0
    in_use: int = 0
    signal: int = 0


_TYPES: dict[str, type] = {
    one.name: {"str": str, "int": int}.get(str(one.type), tuple) for one in fields(Note)
}


def parse(data: bytes) -> list[Note]:
    """The well-formed notes among these lines, at most MOST_NOTES."""
    notes: list[Note] = []
    for line in data.split(b"\n"):
        if line and len(notes) < MOST_NOTES:
            try:
                note = _note(json.loads(line))
            except (ValueError, RecursionError):
                continue
            if note is not None:
                notes.append(note)
    return notes


def _note(read: Any) -> Note | None:
    """A note from parsed JSON, or None if a field is not of its type."""
    if not isinstance(read, dict) or not read.get("kind"):
        return None
    values: dict[str, Any] = {}
    for key, value in read.items():
        wanted = _TYPES.get(key)
        if wanted is tuple and isinstance(value, list):
            value = tuple(value)
            if len(value) != 3 or not all(type(part) is int for part in value):
                return None
        elif wanted is str and isinstance(value, str):
            value = printable(value, _MOST_TEXT)
        if wanted is not None:
            if type(value) is not wanted:
                return None
            values[key] = value
    return Note(**values)
