"""A number before a noun: one helper writes both, everywhere."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.counted import counted
from judge.find import ROOT

NOUNS = (
    "blocks|bytes|calls|cases|characters|combinations|elements|errors|files|findings|indices"
    "|kernels|lanes|lines|numbers|parameters|places|processes|registers|rounds|rows|samples|sizes"
    "|students|submissions|terms|threads|times|values|warps"
)
# `{count} cases`, `{count} more failing cases`: a number and, two words on at most, what it counts.
BY_HAND = re.compile(rf" (?:[a-z]+ ){{0,2}}?(?:{NOUNS})\b")
# Words that stand between two things that are no number and its noun.
APART = re.compile(r" (?:\w+ )?(?:a|and|in|is|its|lie|of|on|over|the|to|with|no|has|for|at|reads) ")
# What is always many (a bound), no whole number, or an expression of a spec (`N`).
MANY = re.compile(r"[A-Z_]{3,}|.*:g|rule\.terms", re.DOTALL)


def by_hand(path: Path) -> Iterator[str]:
    """The f-strings of a file that write a number before a plural themselves."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, text in itertools.pairwise(node.values):
            if not isinstance(value, ast.FormattedValue) or not isinstance(text, ast.Constant):
                continue
            number = ast.unparse(value.value) + (":" + "g" if value.format_spec else "")
            found = BY_HAND.match(str(text.value))
            if found and not APART.match(found[0] + " ") and not MANY.fullmatch(number):
                yield f"{path.name}:{node.lineno}: {{{number}}}{found[0]}"


def test_nobody_counts_by_hand() -> None:
    """What is counted goes through `counted`, so that one of it is not called many."""
    told = [line for path in sorted((ROOT / "judge").rglob("*.py")) for line in by_hand(path)]

    assert told == []


@pytest.mark.parametrize("text", ["{n} cases", "{len(n)} more failing cases in all"])
def test_control_counting_by_hand_is_found(text: str, tmp_path: Path) -> None:
    """The test above can fail."""
    path = tmp_path / "room.py"
    path.write_text(f'print(f"{text}")\n', encoding="utf-8")

    assert len(list(by_hand(path))) == 1


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "case", "0 cases"),
        (1, "case", "1 case"),
        (2, "case", "2 cases"),
        (1, "other process", "1 other process"),
        (3, "other process", "3 other processes"),
        (2, "batch", "2 batches"),
        (2, "C index", "2 C indices"),
    ],
)
def test_one_is_one(number: int, noun: str, said: str) -> None:
    """The last word takes the plural, except for one."""
    assert counted(number, noun) == said
