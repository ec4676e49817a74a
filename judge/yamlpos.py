"""YAML in, values that know their line and key path out.

Stricter than YAML: one document, UTF-8, at most 256 KiB, no anchors, aliases, tags, duplicate keys
or keys that are not plain words; numbers and booleans are read as in YAML 1.2, so `no` is a word,
`010` is no number and `1e-3` is a number.  Every refusal is a SpecError with the line.  It
knows nothing of what the keys mean.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Union

import yaml

from judge.model import SpecError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 16

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_NONFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")

Content = Union[None, bool, int, float, str, "dict[str, Value]", "list[Value]"]


@dataclass(frozen=True)
class Value:
    """A YAML value with the place it stands.  `key` reads `cases.fixed[2].sizes.K`."""

    content: Content
    path: str
    line: int
    key: str

    def fail(self, message: str) -> NoReturn:
        """Raise SpecError at this value."""
        raise SpecError(self.path, self.line, self.key, message)

    def expect(self, expected: str) -> NoReturn:
        """Raise SpecError `got <this value>, expected <expected>`."""
        self.fail(f"got {self.shown()}, expected {expected}")

    def shown(self) -> str:
        """The value as a message shows it, cut to a few words."""
        if isinstance(self.content, dict):
            return "a mapping"
        if isinstance(self.content, list):
            return "a list"
        if isinstance(self.content, str):
            return repr(self.content if len(self.content) <= 40 else self.content[:37] + "...")
        if isinstance(self.content, bool):
            return "true" if self.content else "false"
        return "nothing" if self.content is None else str(self.content)

    def mapping(
        self, required: Sequence[str] = (), optional: Sequence[str] = ()
    ) -> dict[str, Value]:
        """The entries of a mapping that has all `required` keys and no key beyond `optional`."""
        entries = self.entries()
        known = (*required, *optional)
        for name, value in entries.items():
            if name not in known:
                value.fail(f"unknown key, expected {choices(name, known)}")
        missing = [name for name in required if name not in entries]
        if missing:
            self.fail(f"missing {', '.join(missing)}")
        return entries

    def entries(self) -> dict[str, Value]:
        """The entries of a mapping with any keys."""
        if not isinstance(self.content, dict):
            self.expect("a mapping")
        return self.content

    def items(self, minimum: int = 0) -> list[Value]:
        """The items of a list of at least `minimum`."""
        if not isinstance(self.content, list):
            self.expect("a list")
        if len(self.content) < minimum:
            self.fail(f"got {len(self.content)} items, expected at least {minimum}")
        return self.content

    def text(self) -> str:
        """A non-empty string."""
        if not isinstance(self.content, str) or not self.content.strip():
            self.expect("a text")
        return self.content.strip()

    def word(self, allowed: Sequence[str]) -> str:
        """One of the strings allowed."""
        if not isinstance(self.content, str) or self.content not in allowed:
            self.fail(f"got {self.shown()}, expected {choices(str(self.content), allowed)}")
        return self.content

    def boolean(self) -> bool:
        """true or false."""
        if not isinstance(self.content, bool):
            self.expect("true or false")
        return self.content

    def integer(self, minimum: int, maximum: int) -> int:
        """An integer in the range, both ends included; true is no integer."""
        number = self.content
        if isinstance(number, bool) or not isinstance(number, int):
            self.expect("an integer")
        if not minimum <= number <= maximum:
            self.expect(f"an integer from {minimum} to {maximum}")
        return number

    def number(self, minimum: float = -math.inf) -> float:
        """A finite number of at least `minimum`; an integer stays an integer."""
        number = self.content
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            self.expect("a number")
        if number < minimum or abs(number) > 1e300:
            self.expect("a number" if number >= minimum else f"a number of at least {minimum:g}")
        return number


def choices(got: str, allowed: Sequence[str]) -> str:
    """`one of a, b, c; did you mean b?`."""
    close = difflib.get_close_matches(got, allowed, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return ("one of " if len(allowed) > 1 else "") + ", ".join(allowed) + hint


def read(path: Path, shown: str | None = None) -> Value:
    """Read a YAML file.  Raises SpecError, one line, with `shown` (or the path) and the line."""
    where = shown or str(path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SpecError(where, 0, "", f"cannot read it: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise SpecError(where, 0, "", f"got more than {MAX_BYTES} bytes, expected at most that")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SpecError(where, line, "", "not UTF-8 text") from None
    return parse(text, where)


def parse(text: str, path: str) -> Value:
    """Parse a YAML text; `path` is what messages call it."""
    # Events are read one by one: what is nested too deeply is refused before it is all read.
    try:
        return _Composer(yaml.parse(text, Loader=yaml.SafeLoader), path).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join((error.problem or "unreadable").split())
        line = mark.line + 1 if mark else 0
        raise SpecError(path, line, "", f"not valid YAML: {problem}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise SpecError(path, line, "", f"not valid YAML: {error.reason}") from None


class _Composer:
    """Turns the events of PyYAML's parser into one Value."""

    def __init__(self, events: Iterator[Any], path: str) -> None:
        self._events, self._path = events, path

    def document(self) -> Value:
        next(self._events)  # the start of the stream
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            raise SpecError(self._path, 0, "", "got an empty file, expected a mapping")
        value = self._value(next(self._events), "", 0)
        next(self._events)  # the end of the document
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            self._refuse(event, "", "a second document; expected one")
        return value

    def _refuse(self, event: Any, key: str, what: str) -> NoReturn:
        raise SpecError(self._path, event.start_mark.line + 1, key, f"got {what}")

    def _value(self, event: Any, key: str, depth: int) -> Value:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            self._refuse(event, key, "an anchor or alias, expected the value itself")
        if event.tag is not None:
            self._refuse(event, key, f"the tag {event.tag}, expected none")
        if depth > MAX_DEPTH:
            self._refuse(event, key, f"more than {MAX_DEPTH} levels, expected fewer")
        line = event.start_mark.line + 1
        content: Content
        if isinstance(event, yaml.MappingStartEvent):
            content = self._mapping(key, depth)
        elif isinstance(event, yaml.SequenceStartEvent):
            content = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                content.append(self._value(event, f"{key}[{len(content)}]", depth + 1))
        elif event.style is None:
            content = _plain(event.value)
            if isinstance(content, float) and not math.isfinite(content):
                self._refuse(event, key, f"{event.value[:40]}, expected a finite number")
        else:
            content = event.value
        return Value(content, self._path, line, key)

    def _mapping(self, key: str, depth: int) -> dict[str, Value]:
        entries: dict[str, Value] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            name = self._value(event, key, depth + 1)
            if not isinstance(name.content, str):
                name.fail(f"got {name.shown()} as a key, expected a word")
            inner = f"{key}.{name.content}" if key else name.content
            value = self._value(next(self._events), inner, depth + 1)
            if name.content in entries:
                first = entries[name.content].line
                raise SpecError(
                    self._path, name.line, inner, f"got it twice, first in line {first}"
                )
            # The line of the key, not of a block that begins below it.
            entries[name.content] = Value(value.content, value.path, name.line, value.key)
        return entries


def _plain(text: str) -> Content:
    """What an unquoted scalar means, by the core schema of YAML 1.2."""
    words: Mapping[str, Content] = {
        "": None, "~": None, "null": None, "true": True, "false": False,
    }  # fmt: skip
    if text in words:
        return words[text]
    if _INTEGER.match(text):
        return int(text) if len(text) <= 40 else math.inf
    if _FLOAT.match(text):
        return float(text)
    if _NONFINITE.match(text):
        return math.nan
    return text
