"""Read a submission and the headers beside it that it includes."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from judge.counted import counted
from judge.model import UserError

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_MOST_BYTES = 1 << 20
_MOST_HEADERS = 64


@dataclass(frozen=True)
class Header:
    """A header of the submission's own: `name` relative to the submission's folder."""

    name: str
    path: Path
    text: str


def read(source: Path) -> str:
    """The text of a submission.  Raises UserError, in one line, for what is none."""
    try:
        size = source.stat().st_size
        if source.is_dir():
            raise UserError(f"{source}: is a directory, expected a .cu file")
        if not source.is_file():  # a pipe or a device may have no end
            raise UserError(f"{source}: is no plain file, expected a .cu file")
        if size > _MOST_BYTES:
            raise UserError(
                f"{source}: got {counted(size, 'byte')}, expected at most {_MOST_BYTES}"
            )
        content = source.read_bytes()
    except OSError as error:
        raise UserError(f"{source}: cannot be read: {error.strerror}") from error
    if not content.strip():
        raise UserError(f"{source}: is empty, expected a CUDA source file")
    if b"\0" in content:
        raise UserError(f"{source}: is binary, expected a CUDA source file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(f"{source}:{line}: not UTF-8; save the file as UTF-8") from error


def local_headers(source: Path, text: str) -> list[Header]:
    """The files below the submission's folder that it includes with quotes, directly or not."""
    top = source.absolute().parent
    found: dict[str, Header] = {}
    waiting = [(top, text)]
    while waiting:
        folder, content = waiting.pop()
        for name in _INCLUDE.findall(content):
            path = Path(os.path.normpath(folder / name))
            # Not by a link either: who sends a folder could have any file of ours read out to him.
            real = Path(os.path.realpath(path))
            inside = path.is_relative_to(top) and real.is_relative_to(os.path.realpath(top))
            inside = inside and path != source.absolute()
            shown = os.path.relpath(path, top)
            # os.path: pathlib raises where a name is too long or links go round.
            there = inside and os.path.isfile(path)
            if there and shown not in found and len(found) < _MOST_HEADERS:
                found[shown] = Header(shown, path, read(path))
                waiting.append((path.parent, found[shown].text))
    return list(found.values())
