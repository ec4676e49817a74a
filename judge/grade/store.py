"""The folder that a grading writes: results as they come, and what is needed to go on.

    OUT/grading.json     what is graded, how, and with which seed; written with the first result
    OUT/results.jsonl    a line for each submission, appended when it is judged
    OUT/.lock            held while a judge grades into OUT

A judge that is killed leaves whole lines and at most one torn one, which is taken off and judged
again.  Nothing here judges.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from judge.grade import lines
from judge.grade.model import Graded
from judge.model import UserError
from judge.printable import printable

HEADER, RESULTS, LOCK = "grading.json", "results.jsonl", ".lock"


@dataclass(frozen=True)
class Header:
    """What a grading is of.  `decides` hashes the problem, its cases, the judge: see conduct."""

    problem: str
    folder: str
    backend: str
    seed: str
    defines: str
    timed: str
    decides: str
    started: str


@contextmanager
def opened(out: Path, header: Header, resume: bool) -> Iterator[Store]:
    """The store of a grading, held alone.  Raises UserError where OUT is in use or is another's."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = os.open(out / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UserError(f"--out: {printable(str(out))}: {error.strerror}") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = "another judge is grading into it; wait, or name another folder"
            raise UserError(f"--out: {printable(str(out))}: {message}") from None
        yield _begin(out, header, resume)
    finally:
        os.close(lock)


def read_header(out: Path) -> Header | None:
    """What OUT is of, or None.  Raises UserError for a header that cannot be read."""
    path = out / HEADER
    try:
        return Header(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise UserError(f"{printable(str(path))}: cannot be read: {error}") from error


def _begin(out: Path, header: Header, resume: bool) -> Store:
    there = read_header(out)
    if there is None:
        if any(path.name not in (LOCK, f".{HEADER}.half") for path in out.iterdir()):
            message = "holds files that are of no grading; name a new folder"
            raise UserError(f"--out: {printable(str(out))}: {message}")
        return Store(out, (), header)
    if not resume:
        raise UserError(
            f"--out: {printable(str(out))}: holds a grading already; add --resume to go on with "
            "it, or name another folder"
        )
    for name in ("problem", "backend", "seed", "defines", "timed", "decides"):
        got, kept = getattr(header, name), getattr(there, name)
        if got != kept:
            what = "the problem or the judge" if name == "decides" else name
            raise UserError(
                f"--resume: {printable(str(out))}: {what} is not as it was: got {got!r}, expected "
                f"{kept!r}; grade into another folder"
            )
    _without_torn_line(out / RESULTS)
    return Store(out, tuple(read_results(out)), there)


def read_results(out: Path) -> list[Graded]:
    """The results so far, but for a torn last line.  Raises UserError for a broken one."""
    path = out / RESULTS
    if not path.exists():
        return []
    data = path.read_bytes()
    found = []
    whole = data[: data.rfind(b"\n") + 1].decode("ascii", "replace")
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            found.append(lines.load(line))
        except ValueError as error:
            raise UserError(f"{printable(str(path))}:{number}: {error}") from error
    return found


def _without_torn_line(path: Path) -> None:
    data = path.read_bytes() if path.exists() else b""
    if not data.endswith(b"\n") and data:
        os.truncate(path, data.rfind(b"\n") + 1)


def _write(path: Path, text: str) -> None:
    """A whole file or none."""
    half = path.with_name(f".{path.name}.half")
    with half.open("wb") as file:
        file.write(text.encode("ascii"))
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)


class Store:
    """Appends results; `done` are those of an earlier run, `header` is the first's."""

    def __init__(self, out: Path, done: tuple[Graded, ...], header: Header) -> None:
        self.out, self.done, self.header = out, done, header

    def keep(self, some: Sequence[Graded]) -> None:
        """Let go of those of an earlier run that are not among these.  Raises OSError."""
        if len(some) < len(self.done):
            _write(self.out / RESULTS, "".join(map(lines.dump, some)))
            self.done = tuple(some)

    def append(self, graded: Graded) -> None:
        """Add a line and see it on the disk.  Raises OSError."""
        if not (self.out / HEADER).exists():
            _write(self.out / HEADER, json.dumps(asdict(self.header), indent=2) + "\n")
        data = lines.dump(graded).encode("ascii")
        with (self.out / RESULTS).open("ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
