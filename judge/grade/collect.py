"""A folder of submissions -> its entries: one for every file or student folder, none lost.

    hand-ins/anna.cu             the file is the submission of anna.cu
    hand-ins/ben/kernel.cu       the only .cu file of the folder is the submission of ben
    hand-ins/eve/solution.cu     of several, the one with a name that says so

Names are as they lie in the folder, whatever bytes they are of.  Nobody hands in what is another's:
no #include leads from one entry to another, and no link out of a student's folder.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from judge import source
from judge.model import UserError
from judge.printable import printable

MOST_DEPTH = 4
NAMES = ("solution", "submission", "solve", "main")
"""Of several files in a folder, the one named so is meant; or the one named like the problem."""
_HEADERS = (".h", ".cuh", ".hpp", ".inc")
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


def collect(folder: Path, problem: str, out: Path | None = None) -> tuple[Entry, ...]:
    """The entries of a folder in the order of their names.  Raises UserError where there are none.

    problem: slug; a file of that name is taken before others of its folder
    out:     what a grading writes, which is nobody's submission
    """
    if not folder.is_dir():
        raise UserError(f"{printable(str(folder))}: no such folder; name one with .cu files in it")
    if out is not None and out.resolve() == folder.resolve():
        raise UserError(f"--out: {printable(str(out))}: is the graded folder; name another")
    entries = []
    for path in _shown(folder):
        if path.is_dir() and not path.is_symlink():
            if out is None or not out.resolve().is_relative_to(path.resolve()):
                entries.append(_of_folder(path, problem))
        elif _is_source(path) or path.is_symlink():
            entries.append(_alone(path, folder))
    if not entries:
        raise UserError(
            f"{printable(str(folder))}: no submission, expected .cu files or folders with one"
        )
    return tuple(entries)


def passed_over(folder: Path) -> tuple[str, ...]:
    """Names of the files that are neither a submission nor a header of one."""
    return tuple(
        path.name
        for path in _shown(folder)
        if path.is_file() and not (_is_source(path) or path.is_symlink() or path.suffix in _HEADERS)
    )


def _shown(folder: Path) -> list[Path]:
    """What lies in a folder, but for what no student put there."""
    return sorted(
        path
        for path in folder.iterdir()
        if not path.name.startswith(".") and path.name not in _NOT_STUDENTS
    )


def _is_source(path: Path) -> bool:
    return path.suffix.lower() == ".cu"


def _alone(path: Path, folder: Path) -> Entry:
    """A file of the graded folder itself; it may share headers that lie beside it, nothing else."""
    entry = _entry(path.name, path, path.name, folder)
    try:
        beside = source.local_headers(path, source.read(path)) if entry.path else ()
    except UserError:  # the judge says what is wrong with it
        return entry
    for header in beside:
        real = header.path.resolve()
        if _is_source(real) or real.parent != path.parent.resolve():
            refusal = f"includes {printable(header.name, 60)}, which is of another submission"
            return replace(entry, path=None, refusal=refusal)
    return entry


def _entry(name: str, path: Path, shown: str, among: Path) -> Entry:
    refusal = _refusal(path, among)
    return Entry(name, shown, None if refusal else path, refusal)


def _refusal(path: Path, among: Path) -> str:
    """Why a file is not judged, or "": a link may show the judge what is not the student's."""
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return "a link that leads nowhere, expected a .cu file"
    if not real.is_relative_to(among.resolve()):
        return "a link out of its folder, expected a file in it"
    if not real.is_file():
        return "not a regular file, expected a .cu file"
    if not _is_source(path):
        return "not named *.cu, expected a .cu file"
    return ""


def _of_folder(folder: Path, problem: str) -> Entry:
    """The submission of a student's folder."""
    try:
        found = sorted(_files(folder, MOST_DEPTH))
    except OSError as error:
        return Entry(folder.name, folder.name, None, f"cannot be read: {error.strerror}")
    if len(found) > 1:
        named = [path for path in found if path.stem in (*NAMES, problem)]
        found = named if len(named) == 1 else found
    if not found:
        return Entry(folder.name, folder.name, None, "no .cu file in the folder, expected one")
    if len(found) > 1:
        names = ", ".join(printable(path.name, 60) for path in found[:4])
        wanted = " or ".join(f"{name}.cu" for name in NAMES[:2])
        refusal = f"{len(found)} .cu files ({names}), expected one, or one named {wanted}"
        return Entry(folder.name, folder.name, None, refusal)
    shown = found[0].relative_to(folder.parent).as_posix()
    return _entry(folder.name, found[0], shown, folder)


def _files(folder: Path, depth: int) -> list[Path]:
    """The .cu files below a folder; links to folders are not followed."""
    found: list[Path] = []
    for path in _shown(folder):
        if path.is_dir() and not path.is_symlink():
            found += _files(path, depth - 1) if depth else []
        elif _is_source(path):
            found.append(path)
    return found
