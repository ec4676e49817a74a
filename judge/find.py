"""From what a user types to the files it means: the submission, and the problem it is for.

Reads names and the first lines of a submission; never runs or compiles anything.  Every failure is
a UserError that says what was looked at and what there is instead.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from judge import spec
from judge.counted import counted
from judge.model import UserError
from judge.printable import printable

ROOT = Path(__file__).resolve().parent.parent
FIRST = "gemm_fp16"
HEADER_LINES = 20
HEADER_BYTES = 8192
_HEADER = re.compile(r"\s*(?://|/?\*)\s*problem:\s*([A-Za-z0-9_-]+)\s*(?:\*/)?\s*")


class Untold(UserError):
    """Neither the user, nor the file, nor its folders say which problem it is for."""


def submission(name: str, problem: str | None = None, root: Path = ROOT) -> Path:
    """The file a user means: a path, or the name of a file under submissions/.

    With `problem` (a slug or folder) only its submissions are looked at; without it, of several
    files of the same name that of FIRST is meant: the ladder that the README climbs.  Raises
    UserError, before all for a problem that there is not.
    """
    wanted = None if problem is None else named_problem(problem).name
    if not name.strip() or "\0" in name:
        raise UserError("submission: no file named; name one, as in SUB=tiled.cu")
    for base in (Path.cwd(), root):
        path = base / name
        if path.exists():
            return _checked(path, name)
    ladder = sorted(p for p in (root / "submissions").rglob("*.cu") if p.is_file())
    same = [path for path in ladder if name in (path.name, path.stem)]
    if wanted is not None:
        return _of_problem(name, wanted, same, ladder, root)
    if len(same) > 1:
        same = [path for path in same if path.parent.name == FIRST] or same
    if len(same) == 1:
        return _checked(same[0], name)
    if same:
        raise UserError(_several(name, same, root))
    raise UserError(f"{printable(name)}: no such file here or in submissions/{_near(name, ladder)}")


def _of_problem(
    name: str, slug: str, same: Sequence[Path], ladder: Sequence[Path], root: Path
) -> Path:
    """The file of that name among the submissions of one problem.

    same: the files of this name, of whatever problem;  ladder: all there are.  Raises UserError.
    """
    below = root / "submissions" / slug
    found = [path for path in same if path.is_relative_to(below)]
    if len(found) == 1:
        return _checked(found[0], name)
    if found:
        raise UserError(_several(name, found, root))
    hint = _near(name, [path for path in ladder if path.is_relative_to(below)])
    if same:
        others = _listed((str(path.relative_to(root)) for path in same), 3)
        hint = f"; other problems have {others}: give the path, or leave PROBLEM= (--problem) out"
    raise UserError(f"{printable(name)}: no such file here or in submissions/{slug}/{hint}")


def _several(name: str, same: Sequence[Path], root: Path) -> str:
    return (
        f"{printable(name)}: {counted(len(same), 'file')} of this name: "
        f"{_listed(str(path.relative_to(root)) for path in same)}; give the path"
    )


def problem(source: Path, asked: str | None) -> Path:
    """The folder of the problem a submission is for: the one that holds its problem.yaml.

    Asked for by slug or path; else named by `// problem: slug` in the first lines; else a folder
    the file lies in that is called like a problem.  Raises UserError, Untold among them.
    """
    if asked is not None:
        return named_problem(asked)
    slug = header_problem(source)
    if slug is not None:
        return named_problem(slug, f"{printable(source.name)}: '// problem:' line")
    known = spec.slugs()
    for folder in source.resolve().parents:
        if folder.name in known:
            return spec.PROBLEMS / folder.name
    raise Untold(
        f"{printable(source.name)}: which problem is it for? no --problem (PROBLEM=) was given, "
        f"there is no '// problem: NAME' line in its first {HEADER_LINES} lines, and no folder it "
        f"lies in is named like a problem: {_listed(known)}"
    )


def named_problem(asked: str, where: str = "problem") -> Path:
    """The folder of the problem of that slug, or at that path.  Raises UserError, named `where`."""
    try:
        return spec.find(asked).absolute().parent
    except UserError as error:
        raise UserError(f"{where}: {printable(str(error))}") from None


def header_problem(source: Path) -> str | None:
    """The slug that a `// problem: slug` line near the top of the file names, if there is one."""
    with source.open("rb") as file:
        text = file.read(HEADER_BYTES).decode("utf-8-sig", errors="replace")
    matches = (_HEADER.fullmatch(line) for line in text.splitlines()[:HEADER_LINES])
    return next((match[1] for match in matches if match), None)


def _checked(path: Path, name: str) -> Path:
    """The path, if it is something that can be judged."""
    shown = printable(name)
    if path.is_dir():
        inside = sorted(child.name for child in path.glob("*.cu"))
        hint = f": {_listed(inside)}" if inside else ""
        raise UserError(f"{shown}: is a folder; name one .cu file{hint}")
    if not path.is_file():
        raise UserError(f"{shown}: is not a regular file; name a .cu file")
    if path.suffix != ".cu":
        suffix = printable(path.suffix) or "no suffix"
        raise UserError(f"{shown}: got {suffix}, expected a CUDA C++ file named *.cu")
    try:
        path.open("rb").close()
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}") from error
    return path


def _near(name: str, ladder: Iterable[Path]) -> str:
    """`; did you mean ...?`, or what there is."""
    names = sorted({path.name for path in ladder})
    near = difflib.get_close_matches(Path(name).name, names, n=3, cutoff=0.7)
    if near:
        return f"; did you mean {' or '.join(map(printable, near))}?"
    return f"; there are: {_listed(names)}" if names else ""


def _listed(names: Iterable[str], most: int = 12) -> str:
    shown = [printable(name) for name in names]
    if not shown:
        return "(none)"
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + more
