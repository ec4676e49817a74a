"""One piece of the machine, as the doctor found it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Level(str, enum.Enum):
    """How good it is."""

    PASS = "PASS"
    CAUTION = "CAUTION"
    FAIL = "FAIL"


@dataclass(frozen=True)
class Finding:
    """One piece: its name, what was found, what a missing one would give and how to get it."""

    name: str
    level: Level
    found: str
    gives: str = ""
    fix: str = ""
