"""Addresses in a submission's library to lines of its source, by addr2line.

Only asked after a crash.  The debug information is the compiler's, but the submission may have put
something else in its place, so addr2line runs boxed and its words are data.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from judge.boxed import run_boxed
from judge.model import JudgeError, Place

_SECONDS = 5.0
_MEMORY_BYTES = 1 << 30
_OUTPUT_BYTES = 1 << 16
_LINE = re.compile(r"^(.*):(\d+)(?: \(discriminator \d+\))?$")


class Symbols:
    """The places of one library; each address is looked up once."""

    def __init__(self, library: Path, source: Path) -> None:
        self._library, self._source = library, source
        self._known: dict[str, Place | None] = {}

    @property
    def file(self) -> str:
        """The submission, as messages name it."""
        return str(self._source)

    def place(self, pc: str) -> Place | None:
        """The innermost line of the submission at this address (hexadecimal), or None."""
        if pc not in self._known:
            self._known[pc] = self._look_up(pc) if re.fullmatch(r"(0x)?[0-9a-f]+", pc) else None
        return self._known[pc]

    def place_of(self, pc: str, line: int) -> Place | None:
        """The place of an address, or the line where that is known."""
        return Place(self.file, line) if line > 0 else self.place(pc) if pc else None

    def _look_up(self, pc: str) -> Place | None:
        tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
        if tool is None:
            return None
        argv = [tool, "-i", "-e", str(self._library), pc]
        env = {"PATH": os.defpath, "LC_ALL": "C"}
        with tempfile.TemporaryDirectory() as empty:
            try:
                done = run_boxed(
                    *(argv, Path(empty), _SECONDS, _MEMORY_BYTES, _OUTPUT_BYTES, env),
                    reads=[self._library],
                )
            except JudgeError:
                return None  # a line is a comfort; the verdict stands without it
        # Innermost first: a call inlined from a header is followed by the line that called it.
        for line in done.output.decode("utf-8", "replace").splitlines():
            found = _LINE.match(line)
            if found and self._is_source(found[1]) and int(found[2]) > 0:
                return Place(self.file, int(found[2]))
        return None

    def _is_source(self, path: str) -> bool:
        return os.path.realpath(path) == os.path.realpath(self._source)
