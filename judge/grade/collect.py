"""A folder of submissions -> its entries: one for every file or student folder, none lost.

    hand-ins/anna.cu             the file is the submission of anna.cu
    hand-ins/ben/kernel.cu       the only .cu file of the folder is the submission of ben
    hand-ins/eve/solution.cu     of several, the one with a name that says so

Names are as they lie in the folder, whatever bytes they are of; nothing here opens a file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from judge.model import UserError
from judge.printable import printable

MOST_DEPTH = 4
NAMES = ("solution", "submission", "solve", "main")
"""Of several files in a folder, the one named so is meant; or the one named like the problem."""
_NOT_STUDENTS = ("__MACOSX", "__pycache__", "node_modules")


@dataclass(frozen=True)
class Entry:
    """One submission: its `path`, or why there is none to judge in `refusal`.

    name:       unique in the folder
    submission: below the folder, POSIX separators
    """

    name: str
    submission: str
    path: Path | None
    refusal: str = ""


def collect(folder: Path, problem: str) -> tuple[Entry, ...]:
    """The entries of a folder in the order of their names.  Raises UserError where there are none.

    problem: slug; a file of that name is taken before others of its folder
    """
    if not folder.is_dir():
        raise UserError(f"{printable(str(folder))}: no such folder; name one with .cu files in it")
    top = folder.resolve()
    entries = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in _NOT_STUDENTS:
            continue
        if path.is_dir() and not path.is_symlink():
            entries.append(_of_folder(path, top, problem))
        elif path.suffix == ".cu" or path.is_symlink():
            entries.append(_entry(path.name, path, top))
    if not entries:
        raise UserError(
            f"{printable(str(folder))}: no submission, expected .cu files or folders with one"
        )
    return tuple(entries)


def _entry(name: str, path: Path, top: Path) -> Entry:
    shown = Path(os.path.normpath(top / path.relative_to(_above(path, top)))).relative_to(top)
    refusal = _refusal(path, top)
    return Entry(name, shown.as_posix(), None if refusal else path, refusal)


def _above(path: Path, top: Path) -> Path:
    """The graded folder as the path spells it."""
    for parent in path.parents:
        if parent.resolve() == top:
            return parent
    return path.parent


def _refusal(path: Path, top: Path) -> str:
    """Why a file is not judged, or "": a link may show the judge what is not the student's."""
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return "a link that leads nowhere, expected a .cu file"
    if not real.is_relative_to(top):
        return "a link out of the graded folder, expected a file in it"
    if not real.is_file():
        return "not a regular file, expected a .cu file"
    if path.suffix != ".cu":
        return "not named *.cu, expected a .cu file"
    return ""


def _of_folder(folder: Path, top: Path, problem: str) -> Entry:
    """The submission of a student's folder."""
    found = sorted(_files(folder, MOST_DEPTH))
    if len(found) > 1:
        named = [path for path in found if path.stem in (*NAMES, problem)]
        found = named if len(named) == 1 else found
    shown = folder.relative_to(_above(folder, top)).as_posix()
    if not found:
        return Entry(folder.name, shown, None, "no .cu file in the folder, expected one")
    if len(found) > 1:
        names = ", ".join(printable(path.name, 60) for path in found[:4])
        wanted = " or ".join(f"{name}.cu" for name in NAMES[:2])
        refusal = f"{len(found)} .cu files ({names}), expected one, or one named {wanted}"
        return Entry(folder.name, shown, None, refusal)
    return _entry(folder.name, found[0], top)


def _files(folder: Path, depth: int) -> list[Path]:
    """The .cu files below a folder; links to folders are not followed."""
    found: list[Path] = []
    for path in folder.iterdir():
        if path.name.startswith(".") or path.name in _NOT_STUDENTS:
            continue
        if path.is_dir() and not path.is_symlink():
            found += _files(path, depth - 1) if depth else []
        elif path.suffix == ".cu":
            found.append(path)
    return found
