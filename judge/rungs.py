"""The ladder of a problem: its submissions in order, each sweep value a rung, and the baselines.

A rung says its place and its sweep in the first lines of its source:

    // rung: 2
    // sweep: TILE=8,16,32,64

Baselines (the vendor's library) lie in submissions/<slug>/baselines/ and come last.  Reads the
first lines of files; runs nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from judge import find, sweep
from judge.model import Spec, UserError
from judge.printable import printable

_LINE = re.compile(r"\s*//\s*(rung|sweep):\s*(\S.*?)\s*")
_LAST = 10**6


@dataclass(frozen=True)
class Rung:
    """One row of the ladder: a source under its -D values; `baseline` if it is no submission."""

    source: Path
    defines: tuple[str, ...] = ()
    baseline: bool = False

    @property
    def name(self) -> str:
        """As tables show it: `naive`, `tiled, TILE 32`."""
        return shown_name(self.source.name, self.defines)


def folder(slug: str, root: Path | None = None) -> Path:
    """Where the submissions of a problem lie."""
    return (root or find.ROOT) / "submissions" / slug


def shown_name(file: str, defines: tuple[str, ...]) -> str:
    """A source under its -D values as tables show it."""
    return ", ".join([Path(file).stem, *(define.replace("=", " ") for define in defines)])


def rungs(spec: Spec, root: Path | None = None) -> tuple[Rung, ...]:
    """All of them, in order: by `// rung: N`, files without it by name, then the baselines.

    Raises UserError if there is none, or a declaration that cannot be read.
    """
    here = folder(spec.slug, root)
    places = {path: _declared(path) for path in here.glob("*.cu") if path.is_file()}
    found = [
        Rung(path, defines)
        for path, (place, sweeps) in sorted(places.items(), key=lambda one: (one[1][0], one[0]))
        for defines in _combinations(path, sweeps)
    ]
    found += [Rung(path, baseline=True) for path in sorted(here.glob("baselines/*.cu"))]
    if not found:
        raise UserError(
            f"{here}: no submission; `make new PROBLEM={spec.slug} NAME=mine` makes one"
        )
    return tuple(found)


def references(spec: Spec, root: Path | None = None) -> tuple[Rung, ...]:
    """What a time is held against: the first rung, and the baselines."""
    try:
        found = rungs(spec, root)
    except UserError:
        return ()
    return tuple(dict.fromkeys([*found[:1], *(one for one in found if one.baseline)]))


def _declared(path: Path) -> tuple[int, list[str]]:
    """The place in the ladder, and the lists of -D values to sweep.  Raises UserError."""
    place = _LAST
    sweeps: list[str] = []
    with path.open("rb") as file:
        text = file.read(find.HEADER_BYTES).decode("utf-8", errors="replace")
    for number, line in enumerate(text.splitlines()[: find.HEADER_LINES], 1):
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        if match[1] == "sweep":
            sweeps += match[2].split()
        elif match[2].isdigit():
            place = int(match[2])
        else:
            got = printable(match[2], 40)
            raise UserError(f"{path.name}:{number}: rung: got {got}, expected a number")
    return place, sweeps


def _combinations(path: Path, sweeps: list[str]) -> tuple[tuple[str, ...], ...]:
    try:
        return sweep.combinations(sweeps) if sweeps else ((),)
    except UserError as error:
        raise UserError(f"{path.name}: '// sweep:' line: {error}") from None
