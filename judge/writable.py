"""Where a command is to write what it finds, looked at before it does any work.

A verdict that nobody received costs the time it took: what cannot be written is refused up front.
"""

from __future__ import annotations

import argparse
import os
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from judge.model import UserError
from judge.printable import printable


def check(asked: argparse.Namespace) -> None:
    """Raise UserError for the first path of a command line that could not be written."""
    for option, path in _files(asked):
        file(option, path)
    if getattr(asked, "out", None) is not None:
        folder("--out", Path(asked.out))


def _files(asked: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """The option and the path of each file that was asked for; `-` is stdout, and none."""
    named = [("--json", getattr(asked, "json", None))]
    named += [("--format", target) for _, target in getattr(asked, "format", ())]
    for option, target in named:
        if isinstance(target, str) and target != "-":  # leaderboard's --json names no file
            yield option, Path(target)


def file(option: str, path: Path) -> None:
    """Raise UserError where a file cannot be written, or put in the place of one that is there."""
    try:
        if not path.name or path.is_dir():
            raise OSError(0, "is a folder, expected a file")
        real = path.resolve()
        if real.exists() and not os.access(real, os.W_OK):
            raise OSError(0, "is not writable")
        added_to = str(path) == os.environ.get("GITHUB_STEP_SUMMARY")
        # A pipe or a device is written to as it is, any other file replaced by a whole one.
        if not real.exists() or (real.is_file() and not added_to):
            _holds(real.parent, f"; make it first: mkdir -p {shlex.quote(str(path.parent))}")
    except (OSError, ValueError, RuntimeError) as error:
        raise _refusal(option, path, error) from error


def folder(option: str, path: Path) -> None:
    """Raise UserError where files cannot be written into a folder, or it cannot be made."""
    try:
        there = path.resolve()
        while not os.path.lexists(there):
            there = there.parent
        _holds(there)
    except (OSError, ValueError, RuntimeError) as error:
        raise _refusal(option, path, error) from error


def _holds(folder: Path, missing: str = "") -> None:
    """See that a file can be made in a folder, by making one that is gone at once."""
    if not folder.exists():
        raise OSError(0, f"there is no folder {folder}{missing}")
    if not folder.is_dir():
        raise OSError(0, f"{folder} is a file, expected a folder")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OSError(0, f"no file can be made in {folder}: {error.strerror}") from error


def _refusal(option: str, path: Path, error: Exception) -> UserError:
    why = error.strerror if isinstance(error, OSError) else error
    return UserError(f"{option}: {printable(str(path))}: cannot be written: {why}")
