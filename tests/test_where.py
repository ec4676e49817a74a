"""Where an output is wrong, from a set of elements to words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from judge.where import describe

TILES = (8, 16, 32, 64, 128)
R, C = np.indices((65, 33))

# What is wrong in a 65 x 33 output, and the words for it.
SETS: dict[str, tuple[Any, str]] = {
    "last row": (R == 64, "all in row 64 (the tail of M for tiles of 8, 16, 32, 64)"),
    "last column": (C == 32, "all in column 32 (the tail of N for tiles of 8, 16, 32)"),
    "tails of both": (
        (R == 64) | (C == 32),
        "all in row 64 (the tail of M for tiles of 8, 16, 32, 64) "
        "or column 32 (the tail of N for tiles of 8, 16, 32)",
    ),
    "corner": (
        (R == 64) & (C == 32),
        "all in row 64 (the tail of M for tiles of 8, 16, 32, 64), "
        "column 32 (the tail of N for tiles of 8, 16, 32)",
    ),
    "second tile": ((R >= 16) & (R < 32), "all in rows 16..31 (the second tile of 16 rows)"),
    "all but the first": (R >= 32, "all in rows 32..64 (all but the first tile of 32 rows)"),
    "block": (
        (R >= 32) & (R < 48) & (C >= 16) & (C < 32),
        "all in rows 32..47 (the third tile of 16 rows), "
        "columns 16..31 (the second tile of 16 columns)",
    ),
    "two blocks": (
        (R // 16 == 1) & (C // 16 == 0) | (R // 16 == 3) & (C // 16 == 1),
        "all in tiles (1, 0), (3, 1) of 16 x 16 elements",
    ),
    "odd columns": (C % 2 == 1, "all in odd columns"),
    "one in four": (C % 4 == 3, "all in columns 3 mod 4"),
    "half a tile": (R % 16 >= 8, "all in rows 8..15 mod 16"),
    "a few rows": (np.isin(R, [3, 17, 40]), "all in rows 3, 17, 40"),
    "some rows": ((R >= 5) & (R <= 20), "all in rows 5..20"),
    "one element": ((R == 7) & (C == 9), "all in row 7, column 9"),
    "checkerboard": ((R + C) % 2 == 1, "all on the odd squares of a checkerboard"),
    "diagonal": (R == C, "all on the diagonal"),
    "triangle": (R < C, "all above the diagonal"),
    "a pair": (
        (R == 3) & (C == 4) | (R == 17) & (C == 9),
        "at [3, 4], [17, 9]",
    ),
    "end of memory": (R * 33 + C >= 1050, "all in elements 1050..2144 in memory order"),
    "all but a few": ((R * 7 + C) % 50 != 0, "all over the output"),
}


@pytest.mark.parametrize(("wrong", "words"), SETS.values(), ids=SETS.keys())
def test_a_set_of_wrong_elements_has_a_name(wrong: Any, words: str) -> None:
    """Tails, tiles, columns of vector loads and slanted sets are named as such."""
    assert describe(wrong, ("M", "N"), TILES) == words


def test_a_set_with_right_elements_in_it_says_how_many() -> None:
    """An element may be right by accident; the place still stands, with the share."""
    wrong = (R >= 64) & (C != 5)

    assert describe(wrong, ("M", "N"), TILES) == (
        "all in row 64 (the tail of M for tiles of 8, 16, 32, 64), 32 of the 33 there"
    )


def test_a_tail_of_nearly_half_the_rows_is_still_a_tail() -> None:
    """15 of 31 rows and the last column: neither makes every column wrong."""
    rows, columns = np.indices((31, 33))

    assert describe((rows >= 16) | (columns == 32), ("M", "N"), (16,)) == (
        "all in rows 16..30 (the tail of M for tiles of 16) "
        "or column 32 (the tail of N for tiles of 16)"
    )


def test_scattered_elements_are_called_so() -> None:
    """No pattern is claimed where there is none."""
    wrong = np.random.default_rng(1).random((65, 33)) < 0.05

    assert describe(wrong, ("M", "N"), TILES).startswith("scattered over the output, 4.")


def test_a_vector_has_elements_not_rows() -> None:
    """One dimension: the tail of N for the tile that leaves one."""
    wrong = np.arange(1000) >= 992

    assert describe(wrong, ("N",), (16, 32, 256)) == (
        "all in elements 992..999 (the tail of N for tiles of 16, 32)"
    )


def test_a_dimension_beyond_rows_and_columns_goes_by_its_size() -> None:
    """Batched outputs: the batch index is named as the spec names its size."""
    wrong = np.zeros((4, 20, 24), dtype=bool)
    wrong[3, :, 7] = True

    assert describe(wrong, ("B", "M", "N"), TILES) == "all in B index 3 (the last), column 7"
