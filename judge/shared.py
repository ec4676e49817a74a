"""Declarations of shared memory: what `static` and `extern` beside `__shared__` become.

The headers make `__shared__` a `static __thread`, which is the block's own memory because one block
at a time runs on an OS thread.  A further `static` would be one too many; `extern` asks for the
memory given at the launch, which is found through a call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from judge.tokens import WORD, Edit, Nesting, Token

_STORAGE = ("extern", "static", "__shared__")
_ALIGNMENT = ("__align__", "alignas", "__attribute__")
_SPECIFIERS = (*_STORAGE, "volatile", "const")


@dataclass(frozen=True)
class _Dynamic:
    """One `extern __shared__` declaration, by token indices.

    names:   where its names stand;  ends: where the bounds of each end
    element: the type before the names
    """

    removed: list[Token]
    specifiers: list[Token]
    names: list[int]
    ends: list[int]
    in_function: bool

    @property
    def element(self) -> str:
        return " ".join(token.text for token in self.specifiers)


def shared_edits(tokens: Sequence[Token], nest: Nesting) -> list[Edit]:
    """The edits of every declaration with `__shared__`."""
    edits: list[Edit] = []
    dynamic: list[_Dynamic] = []
    for index, token in enumerate(tokens):
        if token.text != "__shared__":
            continue
        start, end = _specifiers(tokens, nest.partner, index)
        if any(part.text == "extern" for part in tokens[start:end]):
            declared = _dynamic(tokens, nest, start, end)
            dynamic += [declared] if declared else []
            continue
        edits += [Edit.of(part, "") for part in tokens[start:end] if part.text == "static"]
        if index + 1 < len(tokens) and tokens[index + 1].text == "alignas":
            # As a standard attribute it must come first; as `__align__` it may stand here.
            edits.append(Edit.of(tokens[index + 1], "__align__"))
    in_files = {tokens[name].text for one in dynamic if not one.in_function for name in one.names}
    uses = Counter(tokens[name].text for one in dynamic for name in one.names)
    for one in dynamic:
        edits += [Edit.of(token, "") for token in one.removed]
        if one.in_function:
            again = [n for n in one.names if uses[tokens[n].text] > 1]
            again = [n for n in again if tokens[n].text not in in_files]
            edits += _references(tokens, one, again)
        else:
            edits += _objects(tokens, one)
    return edits


def _dynamic(tokens: Sequence[Token], nest: Nesting, start: int, end: int) -> _Dynamic | None:
    """The declaration whose specifiers stand in [start, end), if it declares arrays."""
    stop = end
    while stop < len(tokens) and tokens[stop].text not in (";", "=", "{", "}"):
        stop += 1
    names = _names(tokens, end, stop)
    if stop == len(tokens) or tokens[stop].text != ";" or not names:
        return None
    removed, specifiers = _split(tokens, nest.partner, start, names[0])
    brace = nest.brace[start]
    before = [token.text for token in tokens[max(0, brace - 4) : max(0, brace)]]
    in_function = brace >= 0 and "namespace" not in before and before[-1:] != ['"C"']
    ends = [*(name - 1 for name in names[1:]), stop]
    return _Dynamic(removed, specifiers, names, ends, in_function) if specifiers else None


def _references(tokens: Sequence[Token], one: _Dynamic, again: Sequence[int]) -> list[Edit]:
    """`T (&x)[] = ...`, so that `x`, `&x` and `x + i` mean what they mean in CUDA.

    All such declarations of one name declare one array: where there are several (`again`), an
    unused declaration before makes the compiler refuse two types, as nvcc does.
    """
    edits = []
    probes = ""
    for name, end in zip(one.names, one.ends, strict=True):
        bounds = "".join(token.text for token in tokens[name + 1 : end])
        address = f" = *static_cast<{one.element} (*){bounds}>(::emu::dynamic_shared())"
        edits.append(Edit.of(tokens[name], f"(&{tokens[name].text})"))
        edits.append(Edit(tokens[end].start, tokens[end].start, address))
        if name in again:
            probes += f"{{ extern {one.element} {tokens[name].text}{bounds}; }} "
    first = one.specifiers[0].start
    return [*edits, Edit(first, first, probes)]


def _objects(tokens: Sequence[Token], one: _Dynamic) -> list[Edit]:
    """Outside functions a reference would be bound once and for all: look it up at each use."""
    first, name = one.specifiers[0].start, one.names[0]
    bounds = tokens[name + 1 : one.ends[0]]
    element = "".join(token.text for token in bounds).partition("]")[2]
    edits = [
        Edit(first, first, "static ::emu::dynamic_shared_array<"),
        Edit(tokens[name].start, tokens[name].start, f"{element}> "),
    ]
    for name, end in zip(one.names, one.ends, strict=True):
        edits += [Edit.of(token, "") for token in tokens[name + 1 : end]]
    return edits


def _specifiers(tokens: Sequence[Token], partner: Sequence[int], index: int) -> tuple[int, int]:
    """The range of storage words, qualifiers and alignments around the `__shared__` at `index`."""
    start = index
    while start > 0:
        before = tokens[start - 1]
        if before.text in _SPECIFIERS:
            start -= 1
        elif before.text == ")" and partner[start - 1] > 0:
            opener = partner[start - 1]
            if tokens[opener - 1].text not in _ALIGNMENT:
                break
            start = opener - 1
        else:
            break
    end = index + 1
    while end < len(tokens):
        if tokens[end].text in _SPECIFIERS:
            end += 1
        elif tokens[end].text in _ALIGNMENT and end + 1 < len(tokens) and partner[end + 1] > 0:
            end = partner[end + 1] + 1
        else:
            break
    return start, end


def _names(tokens: Sequence[Token], start: int, stop: int) -> list[int]:
    """Where the declared names stand: each is followed by `[`, and all but the first follow `,`."""
    found: list[int] = []
    for index in range(start, stop):
        if tokens[index].kind == WORD and tokens[index + 1].text == "[":
            follows = tokens[index - 1].text
            if not found or (follows == "," and tokens[index - 2].text == "]"):
                found.append(index)
    return found


def _split(
    tokens: Sequence[Token], partner: Sequence[int], start: int, name: int
) -> tuple[list[Token], list[Token]]:
    """The tokens before the first name that go, and those that say the element type."""
    removed: list[Token] = []
    kept: list[Token] = []
    index = start
    while index < name:
        token = tokens[index]
        if token.text in _STORAGE:
            removed.append(token)
        elif token.text in _ALIGNMENT and partner[index + 1] > index:
            removed += tokens[index : partner[index + 1] + 1]
            index = partner[index + 1]
        else:
            kept.append(token)
        index += 1
    return removed, kept
