"""Text from outside (a submission, a compiler, a file name) made safe to print.

A terminal obeys control bytes, and a reader believes what bidirectional marks rearrange: every
character that is not plainly visible is shown as an escape instead of sent.  A CI system obeys
workflow commands in a log: one character of theirs is shown as an escape too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.counted import counted

MOST_CHARACTERS = 600
# GitHub Actions obeys ::error ...:: at the start of a line, after blanks and wherever a log is
# wrapped, and ##[...] anywhere; Azure Pipelines ##vso[...], TeamCity ##teamcity[...].  Names of C++
# (std::error_code) are left alone.
_COMMAND = re.compile(
    r"#(?=#\w*\[)|(?<=:):(?=(?:add-mask|add-matcher|remove-matcher|add-path|debug|echo|error|notice"
    r"|warning|group|endgroup|save-state|set-env|set-output|stop-commands)(?:::| [^:]*::))",
    re.IGNORECASE,
)


def printable(text: str, most: int = MOST_CHARACTERS) -> str:
    """One line without control, format or surrogate characters, at most `most` characters long.

    Tabs become spaces, anything else that does not print becomes its escape (`\\x1b`, `\\u202e`).
    So does what would make the text a command of a CI system.
    """
    shown = text if text.isprintable() else "".join(map(_visible, text.expandtabs(4)))
    shown = _COMMAND.sub(lambda found: f"\\x{ord(found[0]):02x}", shown)
    if len(shown) <= most:
        return shown
    return f"{shown[:most]} ... ({counted(len(shown) - most, 'more character')})"


def printable_lines(texts: Iterable[str], most: int) -> list[str]:
    """The first `most` lines of some texts, each printable, the last saying what was cut."""
    lines = [printable(line) for text in texts for line in text.splitlines()]
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"... ({counted(len(lines) - most + 1, 'more line')})"]


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")
