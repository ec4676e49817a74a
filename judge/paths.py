"""Paths as a user would type them: relative where they lie below the current folder."""

from __future__ import annotations

import re
from pathlib import Path


def shown(path: Path) -> str:
    """One path."""
    path, here = path.absolute(), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def shortened(text: str) -> str:
    """A message in which each path below the current folder reads as `shown` has it."""
    here = str(Path.cwd())
    if here == "/" or here not in text:
        return text
    # Not in the middle of a longer path: /a/b of /x/a/b.
    return re.sub(rf"(?<![\w./-]){re.escape(here)}/", "", text)
