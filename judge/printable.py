"""Text from outside (a submission, a compiler, a file name) made safe to print.

A terminal obeys control bytes, and a reader believes what bidirectional marks rearrange: every
character that is not plainly visible is shown as an escape instead of sent.
"""

from __future__ import annotations

from collections.abc import Iterable

MOST_CHARACTERS = 600


def printable(text: str, most: int = MOST_CHARACTERS) -> str:
    """One line without control, format or surrogate characters, at most `most` characters long.

    Tabs become spaces, anything else that does not print becomes its escape (`\\x1b`, `\\u202e`).
    """
    shown = text if text.isprintable() else "".join(map(_visible, text.expandtabs(4)))
    if len(shown) <= most:
        return shown
    return f"{shown[:most]} ... ({len(shown) - most} more characters)"


def printable_lines(texts: Iterable[str], most: int) -> list[str]:
    """The first `most` lines of some texts, each printable, the last saying what was cut."""
    lines = [printable(line) for text in texts for line in text.splitlines()]
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"... ({len(lines) - most + 1} more lines)"]


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")
