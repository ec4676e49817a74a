"""Find `solve` in a submission and compare how it is declared with what the spec says.

The comparison knows types by their spelling.  Where it cannot tell (a typedef, a macro) it says
nothing: the compiler then decides, in the entry that `judge.entry` writes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.model import Argument, Dtype, Role, Spec
from judge.tokens import DEFINE, DEFINE_END, DIRECTIVE, STRING, WORD, Lines, Nesting, Token

_QUALIFIERS = frozenset(("const", "volatile", "__restrict__", "__restrict", "restrict", "register"))
_INTEGER_WORDS = frozenset(("unsigned", "signed", "char", "short", "int", "long"))
_TYPES = {
    "half": ("half", 2),
    "__half": ("half", 2),
    "__nv_bfloat16": ("bfloat16", 2),
    "nv_bfloat16": ("bfloat16", 2),
    "float": ("float", 4),
    "double": ("float", 8),
    "bool": ("bool", 1),
    "void": ("void", 0),
    "size_t": ("integer", 8),
    "ssize_t": ("integer", 8),
    "ptrdiff_t": ("integer", 8),
    "uint": ("integer", 4),
    "uchar": ("integer", 1),
    **{f"int{bits}_t": ("integer", bits // 8) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": ("integer", bits // 8) for bits in (8, 16, 32, 64)},
    **{f"{name}{lanes}": ("vector", 0) for name in ("float", "int", "uint") for lanes in (2, 3, 4)},
    **{name: ("vector", 0) for name in ("half2", "__half2", "uchar4", "char4", "double2")},
}
"""Spelled type -> its kind and size in bytes."""


@dataclass(frozen=True)
class Declared:
    """A function as the submission declares it.

    scope:      `a::b::` where it stands in namespaces, else ""
    parameters: each as written, comments left out
    is_c:       `extern "C"` stands before it or around it
    """

    name: str
    scope: str
    parameters: tuple[str, ...]
    line: int
    is_c: bool
    is_kernel: bool
    is_template: bool
    is_static: bool
    has_body: bool

    def written(self) -> str:
        """The parameter list in one line."""
        return f"({', '.join(self.parameters)})"


def find_functions(tokens: Sequence[Token], nest: Nesting, lines: Lines) -> Iterator[Declared]:
    """The functions declared at file scope or in namespaces, in order."""
    scopes: list[tuple[int, str, bool]] = []  # closing brace, name, extern "C"
    head = index = 0
    while index < len(tokens):
        kind, text, _ = tokens[index]
        while scopes and index >= scopes[-1][0]:
            scopes.pop()
        if kind == DEFINE:
            while index < len(tokens) and tokens[index].kind != DEFINE_END:
                index += 1
            head = index + 1
        elif kind == DIRECTIVE or text in (";", "}"):
            head = index + 1
        elif text == "{":
            before = tokens[head:index]
            words = [token.text for token in before]
            closing = nest.partner[index]
            if words[:1] == ["namespace"] or words[:2] == ["inline", "namespace"]:
                name = "".join(words[words.index("namespace") + 1 :])
                scopes.append((closing if closing > 0 else len(tokens), name, False))
            elif words == ["extern", '"C"']:
                scopes.append((closing if closing > 0 else len(tokens), "", True))
            elif closing > 0:
                index = closing
            head = index + 1
        elif text == "(" and nest.partner[index] > 0:
            closing = nest.partner[index]
            if _is_function(tokens, index, closing):
                scope = "".join(f"{name}::" for _, name, _ in scopes if name)
                is_c = any(is_c for _, _, is_c in scopes)
                yield _declared(tokens, head, index, closing, lines, scope, is_c)
            index = closing
        index += 1


def _is_function(tokens: Sequence[Token], opener: int, closing: int) -> bool:
    after = tokens[closing + 1].text if closing + 1 < len(tokens) else ""
    return opener > 1 and tokens[opener - 1].kind == WORD and after in ("{", ";", "noexcept")


def _declared(
    tokens: Sequence[Token],
    head: int,
    opener: int,
    closing: int,
    lines: Lines,
    scope: str,
    is_c: bool,
) -> Declared:
    before = {token.text for token in tokens[head : opener - 1]}
    return Declared(
        name=tokens[opener - 1].text,
        scope=scope,
        parameters=tuple(_parameters(tokens[opener + 1 : closing])),
        line=lines(tokens[opener - 1].start),
        is_c=is_c or {"extern", '"C"'} <= before,
        is_kernel="__global__" in before,
        is_template="template" in before,
        is_static="static" in before,
        has_body=tokens[closing + 1].text == "{",
    )


def _parameters(inside: Sequence[Token]) -> Iterator[str]:
    depth = 0
    part: list[Token] = []
    for token in inside:
        depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1, ">": -1}.get(token.text, 0)
        if token.text == "," and depth == 0:
            yield _spelling(part)
            part = []
        else:
            part.append(token)
    if part and [token.text for token in part] != ["void"]:
        yield _spelling(part)


def _spelling(part: Sequence[Token]) -> str:
    """A parameter in the usual spelling: `const half* A`."""
    text = ""
    for token in part:
        starts_word = token.kind in (WORD, STRING) or token.text[0].isdigit()
        blank = text and starts_word and (text[-1].isalnum() or text[-1] in "_*&>")
        text += (" " if blank else "") + token.text
    return text


def choose(functions: Sequence[Declared], spec: Spec) -> Declared | None:
    """The `solve` meant: of several (overloads, `#if` branches) the one that fits best."""
    found = [function for function in functions if function.name == "solve"]
    found.sort(key=lambda one: (not one.has_body, mismatch(one, spec) is not None))
    return found[0] if found else None


def mismatch(declared: Declared, spec: Spec) -> str | None:
    """What is wrong with the declaration, as `what: got, expected`; None if nothing is for sure."""
    expected = spec.declaration()
    if declared.is_kernel:
        return (
            f"solve is a __global__ kernel, expected a host function that launches one: {expected}"
        )
    if declared.is_template:
        return f"solve is a template, expected {expected}"
    wrong = len(declared.parameters) != len(spec.signature) and not _has_macro(declared)
    for parameter, argument in zip(declared.parameters, spec.signature, strict=False):
        wrong |= not _fits(parameter, argument)
    return f"solve: got {declared.written()}, expected {expected}" if wrong else None


def _has_macro(declared: Declared) -> bool:
    """Whether a parameter may be a macro that stands for several."""
    return any(one.isidentifier() and one not in _TYPES for one in declared.parameters)


def _fits(parameter: str, argument: Argument) -> bool:
    """Whether a value arrives unchanged; true also where the spelling is unknown."""
    is_const, kind, size, pointers = _type(parameter)
    if kind == "unknown":
        return True
    want = "integer"
    if argument.dtype.is_float:
        want = {Dtype.FLOAT16: "half", Dtype.BFLOAT16: "bfloat16"}.get(argument.dtype, "float")
    if not argument.is_array:
        enough = (
            size >= argument.dtype.itemsize
            if want == "integer"
            else size == argument.dtype.itemsize
        )
        return pointers == 0 and kind == want and enough
    writable = argument.role is Role.IN or not is_const
    return pointers == 1 and kind == want and size == argument.dtype.itemsize and writable


def _type(parameter: str) -> tuple[bool, str, int, int]:
    """Of what it points at: whether it is const, kind, bytes; and the levels of pointers."""
    text = parameter.partition("=")[0]
    pointers = text.count("*") + text.count("[")
    base, _, _ = text.partition("*")
    words = (
        base.replace("[", " ").replace("]", " ").replace("&", " & ").replace("std::", "").split()
    )
    is_const = "const" in words
    words = [word for word in words if word not in _QUALIFIERS]
    if not words or "&" in words:
        return is_const, "unknown", 0, pointers
    integer = [word for word in words if word in _INTEGER_WORDS]
    if integer and not (integer == ["long"] and "double" in words):
        size = (
            1 if "char" in integer else 2 if "short" in integer else 8 if "long" in integer else 4
        )
        return is_const, "integer", size, pointers
    kind, size = _TYPES.get(words[0], ("unknown", 0))
    return is_const, kind, size, pointers


def near_misses(functions: Sequence[Declared], spec: Spec) -> list[Declared]:
    """Host functions that were perhaps meant to be `solve`, likeliest first."""
    host = [one for one in functions if not one.is_kernel and one.has_body and one.name != "main"]
    alike = difflib.get_close_matches("solve", [one.name.lower() for one in host], n=3, cutoff=0.7)
    by_name = [one for one in host if one.name.lower() in alike or "solve" in one.name.lower()]
    by_shape = [one for one in host if mismatch(one, spec) is None and one not in by_name]
    return [*by_name, *by_shape]


def name(parameter: str) -> str:
    """What a parameter is called; empty where it has no name."""
    words = re.findall(r"\w+", parameter.partition("=")[0].partition("[")[0])
    return words[-1] if len(words) > 1 and words[-1] not in _TYPES else ""


def is_unsigned(parameter: str) -> bool:
    """Whether it is, or points at, an unsigned integer."""
    words = re.findall(r"\w+", parameter.partition("=")[0])
    return any(re.fullmatch(r"unsigned|uchar|uint(\d+_t)?", word) for word in words)
