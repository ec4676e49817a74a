"""Where an access lies: bytes count from 0, and no number can be taken for another."""

from __future__ import annotations

import pytest

from judge.beyond import beside, element, inside, outside
from judge.notes import Note


@pytest.mark.parametrize(
    ("offset", "size", "said"),
    [
        (120, 4, "byte 120 of A, which has 120 bytes: just past its end"),
        (124, 4, "byte 124 of A, which has 120 bytes: 4 bytes past its end"),
        (121, 1, "byte 121 of A, which has 120 bytes: 1 byte past its end"),
        (-4, 4, "byte -4 of A, which has 120 bytes: 4 bytes before its start"),
        (112, 16, "byte 112 of A, which has 120 bytes: the last 8 of them past its end"),
    ],
)
def test_an_access_outside_says_where_it_begins(offset: int, size: int, said: str) -> None:
    """The first byte, the size of the buffer, and how far away that is."""
    note = Note("finding", buffer="A", bytes=120, offset=offset, size=size)

    assert outside(note) == said


def test_freed_memory_has_no_outside() -> None:
    """Every byte of it is wrong to touch."""
    note = Note("fault", buffer="freed cudaMalloc #2", bytes=64, offset=4, size=4)

    assert outside(note) == "byte 4 of freed cudaMalloc #2, which has 64 bytes"


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (Note("finding", buffer="A", bytes=120, offset=28, size=4), "A[1][2]"),
        (
            Note("finding", buffer="s", bytes=512, offset=8, size=4, shared=1),
            "bytes 8..11 of s (shared memory of 512 bytes)",
        ),
        (Note("finding", buffer="flag", bytes=4, offset=0, size=4), "flag (4 bytes)"),
    ],
)
def test_an_access_inside_is_an_element_where_the_layout_is_known(note: Note, said: str) -> None:
    """A is 6 x 5 floats; of other memory the bytes are named, first and last."""
    assert inside(note, {"A": ((6, 5), 4)}) == said


def test_past_the_end_is_told_as_an_element() -> None:
    """Only for arrays of several dimensions, whose index does not follow from the byte at once."""
    note = Note("finding", buffer="A", bytes=120, offset=124, size=4)

    assert list(element(note, {"A": ((6, 5), 4)})) == ["that is A[6][1], and A is 6 x 5"]
    assert list(element(note, {"A": ((30,), 4)})) == []


@pytest.mark.parametrize(("byte", "index"), [(120, 30), (123, 30), (-1, -1), (-4, -1), (-5, -2)])
def test_a_byte_beside_an_array_has_a_flat_index(byte: int, index: int) -> None:
    """Of the element that would lie there, before the array below zero."""
    assert beside("first", byte, 4) == f"the first at byte {byte} (flat index {index})"
