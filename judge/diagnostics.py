"""A compiler's log -> the fault of the submission, and the warnings that concern it.

Knows the messages of g++, clang++ and the GNU linker.  An error inside a header of ours is put at
the submission's line that led there: the `required from` trail before it (g++), the notes behind
it (clang++).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge import gpuonly
from judge.entry import ENTRY
from judge.model import Fault, Place, Reason, Verdict

MOST_LINES = 20
MOST_WARNINGS = 5
_DIAGNOSTIC = re.compile(
    r"(?P<file>[^:\s][^:]*):(?:(?P<line>\d+):)?(?:\d+:)? "
    r"(?P<severity>fatal error|internal compiler error|error|warning|note): (?P<message>.*)"
)
_UNDEFINED = re.compile(
    r"(?:.*\bld(?:\.\w+)?: )?(?P<file>[^:\s][^:]*):(?:(?P<line>\d+)|\([^)]*\)): "
    r"(?P<message>undefined reference to .*)"
)
_TRAIL = re.compile(
    r"In file included from"
    r"|(?:\S.*: )?In (?:\w+ )*(?:function|instantiation|constructor|destructor|substitution)"
)
_INCLUDED = re.compile(r"\s*(?:In file included )?from ")
_UNSUPPORTED = re.compile(r"unsupported: (.+?)(?:: the CPU|[\"'\n]|$)")
_REFUSED = re.compile(r"error: .*(?:attribute error|assertion failed): [\"']?unsupported: ")
_MISSING = re.compile(
    r"(?<![\w/])((?:cub|thrust|cutlass|cute|cuda|nv|nvtx3|cooperative_groups|crt)/[\w./]+"
    r"|(?:cu(?:blas|dnn|fft|rand|sparse|solver)|np[ps]|nv(?:rtc|ml|ToolsExt|Jit)|nccl)\w*\.h"
    r"|cudaTypedefs\.h|cuda_(?:fp[46]|awbarrier\w*)\.h|(?:texture|surface)_\w+\.h"
    r"|channel_descriptor\.h|device_double_functions\.h)"
    r"(?:: No such file or directory|' file not found)"
)


@dataclass(frozen=True)
class Diagnostic:
    """One message with its trail: `before` and `after` are the lines that belong to it."""

    file: str
    line: int
    severity: str
    message: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether it stopped the build."""
        return "error" in self.severity or self.severity == "undefined"


def parse(log: str) -> list[Diagnostic]:
    """The messages of a log in order; notes belong to the message before them."""
    found: list[Diagnostic] = []
    before: list[str] = []
    after: list[str] = []
    head: Diagnostic | None = None

    def close() -> None:
        if head:
            found.append(
                Diagnostic(
                    head.file, head.line, head.severity, head.message, head.before, tuple(after)
                )
            )

    for text in log.splitlines():
        match = _DIAGNOSTIC.match(text)
        undefined = None if match else _UNDEFINED.match(text)
        if (match and match["severity"] != "note") or undefined:
            close()
            which = match or undefined
            assert which is not None
            severity = match["severity"] if match else "undefined"
            head = Diagnostic(
                which["file"], int(which["line"] or 0), severity, which["message"], tuple(before)
            )
            before, after = [], []
        elif _opens_trail(text) or before:
            before.append(text)
        else:
            after.append(text)
    close()
    return found


def _opens_trail(text: str) -> bool:
    """Whether the line belongs to a message that comes behind it."""
    return _TRAIL.match(text) is not None


def place(diagnostic: Diagnostic, files: Mapping[str, str]) -> Place | None:
    """The submission's line a message is about.  `files`: path for the compiler -> for people."""
    if diagnostic.file in files:
        return Place(files[diagnostic.file], diagnostic.line)
    trail = (*diagnostic.before, *diagnostic.after)
    # Where a template of ours was used says more than where its header was included.
    for text in sorted(trail, key=lambda text: _INCLUDED.match(text) is not None):
        for path, name in files.items():
            match = re.search(rf"(?:^|\s){re.escape(path)}:(\d+)", text)
            if match:
                return Place(name, int(match[1]))
    return None


def fault(log: str, files: Mapping[str, str]) -> Fault:
    """The fault behind a build that failed; SIGNATURE if only the call of `solve` does not fit."""
    errors = [one for one in parse(log) if one.is_error]
    details = tuple(_shown(log, files))
    for error in errors:
        named = _UNSUPPORTED.search(error.message) or _MISSING.search(error.message)
        feature = named[1].strip() if named else gpuonly.feature(error.message)
        if feature:
            return unsupported(feature, place(error, files), details)
    for error in errors:
        if "at end of input" in error.message or error.message.startswith("expected '}'"):
            where = place(error, files)  # of the brace that is open
            return Fault(Verdict.CE, Reason.COMPILE, error.message, where, details)
    if errors and all(error.file == ENTRY for error in errors):
        return Fault(Verdict.CE, Reason.SIGNATURE, errors[0].message, None, details)
    for error in errors:
        where = place(error, files)
        if where:
            return Fault(Verdict.CE, Reason.COMPILE, error.message, where, details)
    last = errors[0].message if errors else (log.strip().splitlines() or ["no message"])[-1]
    return Fault(Verdict.CE, Reason.COMPILE, last, None, details)


def unsupported(feature: str, where: Place | None, details: tuple[str, ...]) -> Fault:
    """The fault of right CUDA that this backend cannot run."""
    line = f", line {where.line}" if where and where.line else ""
    message = f"the CPU backend does not support {feature}{line}; use BACKEND=gpu"
    return Fault(Verdict.CE, Reason.UNSUPPORTED, message, where, details)


def warnings(log: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """The compiler's warnings about the submission, `tiled.cu:12: ...`, each once, a few."""
    found: dict[str, None] = {}
    for one in parse(log):
        if one.severity == "warning" and one.file in files:
            found[f"{files[one.file]}:{one.line}: {one.message}"] = None
    return tuple(found)[:MOST_WARNINGS]


def _shown(log: str, files: Mapping[str, str]) -> Iterator[str]:
    """The head of the log as people read it: from the first error on, short names."""
    lines = log.splitlines()
    first = next(
        (i for i, text in enumerate(lines) if re.search(r"error: |undefined ref", text)), 0
    )
    shown: Sequence[str] = lines[first : first + MOST_LINES]
    for text in shown:
        if _REFUSED.search(text):  # ours: the message says it, and the lines below show where
            continue
        for path, name in files.items():
            text = text.replace(path, name)
        yield text
