"""Begin a problem: a copy of one that is there, complete and valid, with marks where to edit.

    problems/<slug>/            problem.yaml, statement.md, starter.cu, reference.py if it has one
    submissions/<slug>/         the first rung of the ladder
    tests/submissions/<slug>/   two submissions that are wrong

A mark is the word EDIT; `lint-problem` names each one that is left.  Nothing is ever overwritten.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from judge import expectation, find, rungs, spec
from judge.model import Spec, UserError, Verdict
from judge.printable import printable

MARK = "EDIT"
WRONG = 2
_SLUG = re.compile(r"[a-z0-9][a-z0-9_]{0,39}")
_KEYS = {
    "title": "a name for people",
    "summary": "what is computed, in one line",
    "source": "where signature and semantics come from",
}
_SECTIONS = ("axes", "signature", "families", "cases", "work", "reference", "tolerance", "timed")


def create(slug: str, like: str, root: Path = find.ROOT) -> list[Path]:
    """Copy a problem under another name; the paths of the new files.

    like: the slug of the problem that is copied, or its folder
    Raises UserError for a slug that is none or taken, and for a problem that has not all it needs.
    """
    if not _SLUG.fullmatch(slug):
        raise UserError(
            f"name: got '{printable(slug)}', expected small letters, digits and _, as in my_problem"
        )
    folders = (f"problems/{slug}", f"submissions/{slug}", f"tests/submissions/{slug}")
    for folder in folders:
        if (root / folder).exists():
            raise UserError(f"{folder}: is there already and left alone; choose another name")
    model = spec.load(like)
    made = []
    try:
        for name, text in _files(model, slug):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            made.append(path)
    except OSError as error:
        where, why = error.filename or root, os.strerror(error.errno or 0)
        raise UserError(f"{where}: cannot be written: {why}") from error
    return made


def _files(model: Spec, slug: str) -> Iterator[tuple[str, str]]:
    """Names of the new files, from the root, and what is in them."""
    folder = model.path.parent
    for name in ("problem.yaml", "statement.md", "starter.cu", "reference.py"):
        path = folder / name
        if not path.is_file():
            if name == "reference.py":
                continue
            raise UserError(f"{path}: no such file; copy another problem, as --like vector_add")
        text = path.read_text(encoding="utf-8")
        if name == "problem.yaml":
            text = _marked_spec(text, model.slug)
        elif name == "reference.py":
            text = f"# {MARK}: the right answer, in float64\n{text}"
        else:
            text = _marked_head(text, name)
        yield f"problems/{slug}/{name}", text
    first = rungs.rungs(model)[0].source
    text = _marked_head(first.read_text(encoding="utf-8"), first.name)
    yield f"submissions/{slug}/{first.name}", text
    for path in _wrong(model):
        yield f"tests/submissions/{slug}/{path.name}", path.read_text(encoding="utf-8")


def _wrong(model: Spec) -> list[Path]:
    """A few of the problem's wrong submissions."""
    folder = find.ROOT / "tests" / "submissions" / model.slug
    paths = sorted(folder.glob("*.cu"))
    wrong = [path for path in paths if expectation.read(path).verdict is Verdict.WA]
    if len(wrong) < WRONG:
        raise UserError(f"{folder}: got {len(wrong)} wa_*.cu, expected {WRONG}; copy another one")
    return wrong[:WRONG]


def _marked_spec(text: str, slug: str) -> str:
    """The problem.yaml of `slug`, words marked, and each section that makes it this problem."""
    lines: list[str] = []
    skipping = False
    for line in text.splitlines():
        key = re.match(r"([a-z]+):", line)
        skipping = skipping and key is None and line.startswith(" ")  # the rest of a folded text
        if skipping:
            continue
        if key and key[1] in _KEYS:
            line, skipping = f'{key[1]}: "{MARK}: {_KEYS[key[1]]}"', True
        elif key and key[1] in _SECTIONS:
            lines.append(f"# {MARK}: {key[1]} of {slug}")
        lines.append(line)
    return "\n".join(lines) + "\n"


def _marked_head(text: str, name: str) -> str:
    """A statement or a source whose first line is marked."""
    sign = "#" if name.endswith(".md") else "//"
    return f"{sign} {MARK}: {text.removeprefix(sign).lstrip()}"
