"""What is missing or weak in a problem: every line says where, what, and what to do next.

The cheap looks come first: files that are read, then cases and tolerance, then what is compiled and
run.  A problem without a flaw is ready for `make check`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from judge import find, lintfiles, lintspec, lintstatement, spec
from judge.model import SpecError


def problem(name: str, root: Path = find.ROOT) -> Iterator[str]:
    """A line for each flaw of a problem, by slug or folder; its submissions lie below `root`.

    Raises UserError where there is no such problem.
    """
    path = spec.find(name)
    try:
        loaded = spec.load(path)
        yield from map(str, lintstatement.flaws(loaded))
        yield from map(str, lintspec.flaws(loaded))
        yield from map(str, lintfiles.flaws(loaded, root))
    except SpecError as error:
        yield f"{error}; mend it: nothing else can be looked at before"
