"""Keep what compilers made, by content; safe with several judges at once.

    <root>/cache/<kind>-<key>/entry.json     sizes and digests of the files, and the maker's notes
                              <files>
    <root>/cache/.making-<pid>-...           being made; renamed into place when whole
    <root>/logs/                             whole logs of compilers, the newest few hundred

The key is a digest of all that goes into a build, so an entry is never out of date.  It can be
broken, by a full disk or a killed judge: then it is made again.  Entries used longest ago go when
all together grow over the limit.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.model import UserError

LIMIT_BYTES = 500_000_000
_DIGEST_BYTES = 8 << 20
"""Larger files are checked by their size alone: a digest would cost more than it protects."""
_IN_USE_SECONDS = 600.0
"""An entry used so lately may belong to a judge that is still running."""
_ABANDONED_SECONDS = 3600.0
_MOST_LOGS = 200
_MOST_NAME = 100
_PLAIN = re.compile(r"[^\w.-]", re.ASCII)
_ENTRY = "entry.json"


@dataclass(frozen=True)
class Entry:
    """What one build left: its folder, what its maker noted, and whether it was there before."""

    path: Path
    notes: Mapping[str, Any]
    cached: bool


def digest(*parts: str | bytes) -> str:
    """A key over all parts, in order, each kept apart from the next."""
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        state.update(b"%d:" % len(content))
        state.update(content)
    return state.hexdigest()


def digest_tree(*folders: Path) -> str:
    """A key over the names and contents of all files below the folders; caches are left out."""
    parts: list[str | bytes] = []
    for folder in folders:
        for path in sorted(_files(str(folder))):
            parts += (os.path.relpath(path, folder), Path(path).read_bytes())
    return digest(*parts)


def _files(folder: str) -> Iterator[str]:
    for item in os.scandir(folder):
        if item.is_dir():
            if item.name != "__pycache__":
                yield from _files(item.path)
        elif not item.name.startswith("."):
            yield item.path


class Cache:
    """A folder of builds.  `root` is $JUDGE_CACHE, or else build/ beside the package."""

    def __init__(self, root: Path | None = None, limit_bytes: int = LIMIT_BYTES) -> None:
        """Raises UserError if the folder cannot be made."""
        default = Path(__file__).resolve().parent.parent / "build"
        self.root = root or Path(os.environ.get("JUDGE_CACHE") or default)
        self.root = self.root.absolute()
        self.limit_bytes = limit_bytes
        self._folder = self.root / "cache"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self.root / "logs").mkdir(exist_ok=True)
        except OSError as error:
            raise UserError(
                f"{self.root}: cannot keep builds there: {error.strerror}; set JUDGE_CACHE"
            ) from error

    def get(self, kind: str, key: str) -> Entry | None:
        """The entry, if it is there and whole; it then counts as used now."""
        path = self._folder / f"{kind}-{key}"
        try:
            content = json.loads((path / _ENTRY).read_bytes())
            whole = all(_is_whole(path / name, *seal) for name, seal in content["files"].items())
            if whole:
                os.utime(path / _ENTRY)
                return Entry(path, content["notes"], cached=True)
        except FileNotFoundError:
            if not path.exists():
                return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        self._remove(path)
        return None

    def make(self, kind: str, key: str, build: Callable[[Path], Mapping[str, Any]]) -> Entry:
        """The entry, made by `build(folder)` if it is not there, which returns its notes.

        `build` writes files into the empty folder it is given; its exceptions pass through and
        leave nothing behind.
        """
        found = self.get(kind, key)
        if found:
            return found
        making = self._folder / f".making-{os.getpid()}-{secrets.token_hex(4)}"
        making.mkdir()
        try:
            notes = dict(build(making))
            files = {path.name: _seal(path) for path in making.iterdir()}
            (making / _ENTRY).write_text(json.dumps({"files": files, "notes": notes}))
            path = self._folder / f"{kind}-{key}"
            try:
                making.rename(path)
            except OSError:
                other = self.get(kind, key)  # another judge was faster, or left a broken entry
                if other:
                    return Entry(other.path, other.notes, cached=False)
                making.rename(path)
        finally:
            shutil.rmtree(making, ignore_errors=True)
        self._evict(keep=path)
        return Entry(path, notes, cached=False)

    def log(self, name: str, text: str) -> Path:
        """Keep the whole log of a build that failed; returns where.  Names may be of any bytes."""
        folder = self.root / "logs"
        path = folder / f"{_PLAIN.sub('_', name)[-_MOST_NAME:]}.log"
        path.write_text(text, encoding="utf-8", errors="replace")
        logs = sorted(folder.iterdir(), key=_mtime, reverse=True)
        for old in logs[_MOST_LOGS:]:
            old.unlink(missing_ok=True)
        return path

    def _evict(self, keep: Path) -> None:
        """Remove what was abandoned, then entries used longest ago until the limit is met."""
        now = time.time()
        entries: list[tuple[float, int, Path]] = []
        for path in self._folder.iterdir():
            if path.name.startswith("."):
                if now - _mtime(path) > _ABANDONED_SECONDS:
                    shutil.rmtree(path, ignore_errors=True)
            else:
                entries.append((_mtime(path / _ENTRY), _size_bytes(path), path))
        total = sum(size for _, size, _ in entries)
        for used, size, path in sorted(entries):
            if total <= self.limit_bytes:
                return
            if path != keep and now - used > _IN_USE_SECONDS:
                self._remove(path)
                total -= size

    def _remove(self, path: Path) -> None:
        """Take an entry away at once: nobody sees half of it."""
        gone = self._folder / f".making-{os.getpid()}-{secrets.token_hex(4)}"
        with contextlib.suppress(OSError):
            path.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _seal(path: Path) -> tuple[int, str]:
    size = path.stat().st_size
    return size, digest(path.read_bytes()) if size <= _DIGEST_BYTES else ""


def _is_whole(path: Path, size: int, content: str) -> bool:
    if path.stat().st_size != size:
        return False
    return not content or digest(path.read_bytes()) == content


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _size_bytes(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for item in os.scandir(folder):
            total += item.stat().st_size
    return total
