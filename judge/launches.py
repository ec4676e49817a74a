"""Find `kernel<<<grid, block, shared, stream>>>(...)` among tokens.

In: the tokens of a file.  Out: for each launch the tokens where its callee, its configuration and
its end stand.  What is no complete launch is left out, for the compiler to report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.kernels import count_arguments
from judge.tokens import DEFINE, DEFINE_END, WORD, Token

_STATEMENT_WORDS = frozenset(["return", "else", "do", "case", "goto", "throw", "new", "delete"])
_LONGEST_LIST = 512  # tokens: bounds the search for the `<` of a stray `>`


@dataclass(frozen=True)
class Launch:
    """One launch, by token indices.

    start:   first token of the callee
    opening: first of the three `<`;  closing: first of the three `>`
    name:    the callee's last name, "" where it is an expression
    explicit: how many template arguments are written; None without an argument list
    macro:   the DEFINE of the macro it stands in, or -1
    """

    start: int
    opening: int
    closing: int
    name: str
    explicit: int | None
    macro: int


def find_launches(tokens: Sequence[Token], partner: Sequence[int]) -> Iterator[Launch]:
    """The launches in order of their `<<<`."""
    macro = -1
    for index, token in enumerate(tokens):
        if token.kind in (DEFINE, DEFINE_END):
            macro = index if token.kind == DEFINE else -1
        if token.text != "<" or not _is_triple(tokens, index):
            continue
        if index == 0 or tokens[index - 1].text in ("operator", "<"):
            continue
        callee = _callee(tokens, partner, index)
        closing = _closing(tokens, partner, index + 3)
        if callee and closing:
            start, name, explicit = callee
            yield Launch(start, index, closing, name, explicit, macro)


def _is_triple(tokens: Sequence[Token], index: int) -> bool:
    """Whether `<<<` or `<< <` begins here (or the same of `>`), as nvcc reads it."""
    if index + 2 >= len(tokens):
        return False
    first, second, third = tokens[index : index + 3]
    return first.text == second.text == third.text and second.start == first.start + 1


def _closing(tokens: Sequence[Token], partner: Sequence[int], index: int) -> int | None:
    """The `>>>` that closes the configuration beginning at `index`.

    Of a run of `>` the last three close it, and of several runs the last one before the end of the
    statement: those before close template argument lists.
    """
    closing = None
    while index < len(tokens):
        token = tokens[index]
        if token.kind in (DEFINE, DEFINE_END) or token.text in (";", "{", "}", ")", "]"):
            break
        if token.text in ("(", "["):
            if partner[index] < 0:
                break
            index = partner[index]
        elif token.text in ("<", ">") and _is_triple(tokens, index):
            if token.text == "<":
                break
            closing = index
        index += 1
    return closing


def _callee(
    tokens: Sequence[Token], partner: Sequence[int], opening: int
) -> tuple[int, str, int | None] | None:
    """The start of the callee before `opening`, its name, and its count of template arguments."""
    index = opening - 1
    explicit = None
    if tokens[index].text == ">":
        less = _matching_less(tokens, partner, index)
        if less is None:
            return None
        explicit = count_arguments(tokens[less + 1 : index])
        index = less - 1
    name = tokens[index].text if tokens[index].kind == WORD else ""
    start = _expression_start(tokens, partner, index)
    return None if start is None else (start, name, explicit)


def _expression_start(tokens: Sequence[Token], partner: Sequence[int], index: int) -> int | None:
    """Where the postfix expression that ends at `index` starts: `a::b<c>::d`, `p->f[i](x)`."""
    while index >= 0:
        kind, text, _ = tokens[index]
        before = tokens[index - 1].text if index else ""
        if text in (")", "]"):
            opener = partner[index]
            if opener < 0:
                return None
            if opener == 0 or not _ends_operand(tokens[opener - 1]):
                return opener
            index = opener - 1
        elif text == ">":
            less = _matching_less(tokens, partner, index)
            if not less:
                return None
            index = less - 1
        elif kind != WORD or text in _STATEMENT_WORDS:
            return None
        elif before in (".", "->"):
            index -= 2
        elif before == "template" and index > 1:
            index -= 3
        elif before == "::":
            if index < 2 or not (_ends_operand(tokens[index - 2]) or tokens[index - 2].text == ">"):
                return index - 1
            index -= 2
        elif before == "#" and index > 2 and tokens[index - 2].text == "#":
            index -= 3
        else:
            return index
    return None


def _ends_operand(token: Token) -> bool:
    return token.text in (")", "]") or (token.kind == WORD and token.text not in _STATEMENT_WORDS)


def _matching_less(tokens: Sequence[Token], partner: Sequence[int], index: int) -> int | None:
    """The `<` that the `>` at `index` closes, if both belong to one argument list."""
    depth = 0
    stop = max(0, index - _LONGEST_LIST)
    while index > stop:
        text = tokens[index].text
        if text == ">":
            depth += 1
        elif text == "<":
            depth -= 1
            if depth == 0:
                return index
        elif text in (")", "]", "}") and partner[index] >= 0:
            index = partner[index]
        elif text in (";", "{", "(", "[") or tokens[index].kind in (DEFINE, DEFINE_END):
            return None
        index -= 1
    return None
