"""Find `kernel<<<grid, block, shared, stream>>>(...)` among tokens, and what the kernel is.

In: the tokens of a file.  Out: for each launch the tokens where its callee, its configuration and
its end stand, and whether the callee can be named by itself (a typed launch) or only a call can
tell which function it is (a deduced launch: template arguments left out, default arguments,
overloads).  What is no complete launch is left out, for the compiler to report.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.tokens import DEFINE, DEFINE_END, NUMBER, STRING, WORD, Token

_STATEMENT_WORDS = frozenset(["return", "else", "do", "case", "goto", "throw", "new", "delete"])
_ATTRIBUTES = frozenset(
    (
        *("__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__"),
        *("__align__", "alignas", "__attribute__"),
    )
)
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


@dataclass
class Kernel:
    """What the `__global__` declarations of one name have in common."""

    template_parameters: int = 0
    is_template: bool = False
    is_variadic: bool = False
    has_defaults: bool = False
    overloaded: bool = False
    parameters: str | None = None

    def needs_call(self, explicit: int | None) -> bool:
        """Whether only a call tells which function is meant, `explicit` arguments being written."""
        if self.is_template:
            complete = explicit is not None and explicit >= self.template_parameters
            return not complete or self.is_variadic or self.has_defaults
        return self.has_defaults or self.overloaded


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


def find_kernels(tokens: Sequence[Token], partner: Sequence[int]) -> dict[str, Kernel]:
    """The kernels the file declares, by name."""
    kernels: dict[str, Kernel] = defaultdict(Kernel)
    for index, token in enumerate(tokens):
        if token.text != "__global__" or tokens[index - 1].kind == DEFINE:
            continue
        opener = _parameters(tokens, partner, index)
        if opener is None:
            continue
        kernel = kernels[tokens[opener - 1].text]
        inside = tokens[opener + 1 : partner[opener]]
        kernel.has_defaults |= any(part.text == "=" for part in inside)
        template = _template_header(tokens, index)
        if template is None:
            text = " ".join(part.text for part in inside if part.text != "=")
            is_definition = tokens[partner[opener] + 1 : partner[opener] + 2]
            if is_definition and is_definition[0].text == "{":
                kernel.overloaded |= kernel.parameters not in (None, text)
                kernel.parameters = text
        elif template:  # `template <>` specialises what another header declares
            kernel.is_template = True
            kernel.is_variadic |= any(part.text == "..." for part in template)
            count = _count_arguments(template)
            kernel.template_parameters = max(kernel.template_parameters, count)
    return dict(kernels)


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
        explicit = _count_arguments(tokens[less + 1 : index])
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


def _count_arguments(inside: Sequence[Token]) -> int:
    """How many template arguments or parameters stand between `<` and `>`."""
    if not inside:
        return 0
    depth, count = 0, 1
    for token in inside:
        if token.text in ("<", "(", "[", "{"):
            depth += 1
        elif token.text in (">", ")", "]", "}"):
            depth -= 1
        elif token.text == "," and depth == 0:
            count += 1
    return count


def _parameters(tokens: Sequence[Token], partner: Sequence[int], index: int) -> int | None:
    """The `(` of the parameters of the kernel whose `__global__` stands at `index`."""
    while index + 1 < len(tokens):
        index += 1
        kind, text, _ = tokens[index]
        if text == "(":
            if partner[index] < 0 or tokens[index - 1].kind != WORD:
                return None
            if tokens[index - 1].text in _ATTRIBUTES:
                index = partner[index]
                continue
            return index
        if kind not in (WORD, STRING, NUMBER) and text not in ("<", ">", ",", "::", "[", "]", "#"):
            return None
    return None


def _template_header(tokens: Sequence[Token], index: int) -> Sequence[Token] | None:
    """What stands in the `template <...>` of the declaration around `index`; None without one."""
    header = index
    while tokens[header].text != "template":
        header -= 1
        if header < 0 or tokens[header].kind in (DEFINE, DEFINE_END):
            return None
        if tokens[header].text in (";", "{", "}") or index - header > _LONGEST_LIST:
            return None
    depth = 0
    for end in range(header + 1, index):
        depth += {"<": 1, "(": 1, ")": -1, ">": -1}.get(tokens[end].text, 0)
        if depth == 0:
            return tokens[header + 2 : end]
    return None
