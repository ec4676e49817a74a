"""Cut C++ text into tokens that know where they stand; comments and white space are left out.

In: any text, right C++ or not.  Out: tokens whose offsets point into the text, so that an edit can
leave all else, and with it every line number, untouched.  Never fails: an unterminated comment or
string runs to its end and is left for the compiler to report.  Linear in the length of the text.

`<` and `>` are always single tokens, because `>>>` may close a launch or three template argument
lists, and only the reader of the tokens can tell.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

WORD, NUMBER, STRING, PUNCTUATION = "word", "number", "string", "punctuation"
DEFINE, DEFINE_END = "define", "define_end"  # around the tokens of one `#define`
DIRECTIVE = "directive"  # any other preprocessor line, whole

# Every alternative that can fail after reading far has one behind it that takes what was read:
# otherwise a text of a million `/*` or `R"(` would be read to its end a million times.
_PATTERN = re.compile(
    r"""
    (?:
      (?P<word>(?!(?:u8|[uUL])?R")[^\W\d]\w*)
    | (?P<newline>\s*\n)
    | (?P<space>[^\S\n]+|\\[ \t\r]*\n)
    | (?P<comment>//[^\\\n]*(?:\\(?:[ \t\r]*\n)?[^\\\n]*)*|/\*(?:.*?\*/|.*))
    | (?P<directive>\#[ \t]*(?P<name>[a-z]\w*))
    | (?P<string>(?:u8|[uUL])?R"(?P<fence>[^()\\\s"]{0,16})\((?:.*?\)(?P=fence)"|.*)
               | (?:R)?"[^"\\\n]*(?:\\(?:\r\n|.)?[^"\\\n]*)*"?
               | '[^'\\\n]*(?:\\(?:\r\n|.)?[^'\\\n]*)*'?)
    | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
    | (?P<punctuation>->|::|\.\.\.|.)
    )[^\S\n]*
    """,
    re.VERBOSE | re.DOTALL,
)

# The rest of a preprocessor line: a comment at its end may go on over further lines, so it stays.
_DIRECTIVE_REST = re.compile(
    r"""(?<=include)[ \t]*(?:<[^>\n]*>|"[^"\n]*")
      | [^\\\n/]*(?:(?:\\(?:[ \t\r]*\n)?|/(?![/*]))[^\\\n/]*)*""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of the text: `text` stands at `start`; `kind` is one of the constants above."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset just behind it."""
        return self.start + len(self.text)


def tokenize(source: str) -> list[Token]:
    """The tokens of `source` in order.  Each DEFINE has its DEFINE_END, at the end of its line."""
    tokens: list[Token] = []
    in_define = False
    line_start = True  # only blanks and comments stand before on this line
    position: int | None = 0
    while position is not None:
        scan, position = _PATTERN.finditer(source, position), None
        for match in scan:
            kind = match.lastgroup or PUNCTUATION
            if kind in ("space", "comment"):
                continue
            start = match.start()
            if kind == "newline":
                if in_define:
                    tokens.append(Token(DEFINE_END, "", start))
                    in_define = False
                line_start = True
            elif kind != DIRECTIVE:
                tokens.append(Token(kind, match[kind], start))
                line_start = False
            elif in_define or not line_start:  # the operators # and ## of a macro body
                tokens.append(Token(PUNCTUATION, "#", start))
                position = start + 1
                break
            elif match["name"] == "define":
                tokens.append(Token(DEFINE, match[kind], start))
                in_define = True
            else:
                rest = _DIRECTIVE_REST.match(source, match.end(kind))
                position = rest.end() if rest else match.end()
                tokens.append(Token(DIRECTIVE, source[start:position], start))
                line_start = False
                break
    if in_define:
        tokens.append(Token(DEFINE_END, "", len(source)))
    return tokens


class Lines:
    """Line numbers, 1-based, of offsets into one text."""

    def __init__(self, source: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", source))]

    def __call__(self, offset: int) -> int:
        return bisect.bisect_right(self._starts, offset)


@dataclass(frozen=True)
class Nesting:
    """Which brackets belong together, by token index; -1 where none does.

    partner: for a bracket, the one it pairs with
    brace:   the innermost `{` open around a token
    """

    partner: list[int]
    brace: list[int]


_CLOSERS = {")": "(", "]": "[", "}": "{"}
_OPENERS = frozenset(_CLOSERS.values())
_CONDITIONAL = re.compile(r"#[ \t]*(if[ \t]+0\b|if|el|endif)")
_Stack = tuple[int, int, Any] | None  # an open bracket, the innermost `{`, and what is below


def nesting(tokens: Sequence[Token]) -> Nesting:
    """Pair the brackets up, none across the border of a `#define`, each `#if` branch by itself.

    A macro may open what another closes, and two branches may open what one line closes.
    """
    partner, brace = [-1] * len(tokens), [-1] * len(tokens)
    stack: _Stack = None
    outside: _Stack = None  # of the macro being defined
    branches: list[tuple[_Stack, bool]] = []  # what was open at each `#if`; was it an `#if 0`
    for index, (kind, text, _) in enumerate(tokens):
        if stack:
            brace[index] = stack[1]
        if kind == PUNCTUATION:
            if text in _OPENERS:
                inner = index if text == "{" else stack[1] if stack else -1
                stack = (index, inner, stack)
            elif text in _CLOSERS and stack and tokens[stack[0]].text == _CLOSERS[text]:
                partner[index] = stack[0]
                partner[stack[0]] = index
                stack = stack[2]
        elif kind == DEFINE:
            outside, stack = stack, None
        elif kind == DEFINE_END:
            stack = outside
        elif kind == DIRECTIVE and (found := _CONDITIONAL.match(text)):
            if found[1].startswith("if"):
                branches.append((stack, found[1] != "if"))
            elif branches:
                before, dead = branches.pop()
                if found[1] == "el":
                    branches.append((before, False))
                if found[1] == "el" or dead:
                    stack = before
    return Nesting(partner, brace)


class Edit(NamedTuple):
    """Put `text` in the place of [start, end)."""

    start: int
    end: int
    text: str

    @classmethod
    def of(cls, token: Token, text: str) -> Edit:
        """Put `text` in the place of a token, keeping the lines the token has."""
        return cls(token.start, token.end, text + "\n" * token.text.count("\n"))


def apply_edits(source: str, edits: Sequence[Edit]) -> str:
    """The text with every edit made.  Edits do not overlap; insertions go before replacements."""
    parts: list[str] = []
    position = 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        parts += (source[position:start], text)
        position = end
    return "".join((*parts, source[position:]))
