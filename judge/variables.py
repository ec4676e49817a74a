"""The variables of device memory that a file declares: `__device__`, `__constant__`, `__managed__`.

In come tokens, out come names.  The headers make the three words nothing, so only the text tells
such a variable from one of the host.  A word more than there are variables does no harm: the names
are looked up among the symbols of the submission (judge/emu/image.h).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.tokens import WORD, Token

_WORDS = {"__device__": "d", "__constant__": "c", "__managed__": "m"}
_STRONGEST = "dcm"
"""Of several words the last one of these counts: `__device__ __constant__` is constant."""
_WITH_BRACKETS = ("__align__", "alignas", "__attribute__", "decltype")
_ENDS = (";", "}")
_AFTER_A_NAME = (";", "=", "[", ",", "{")


def find_variables(tokens: Sequence[Token], partner: Sequence[int]) -> dict[str, str]:
    """Names, each with `d`, `c` or `m`: the word it was declared with."""
    found: dict[str, str] = {}
    for index, token in enumerate(tokens):
        kind = _WORDS.get(token.text)
        if kind is None:
            continue
        for name in _declared(tokens, partner, index + 1):
            known = found.get(name, kind)
            found[name] = max(known, kind, key=_STRONGEST.index)
    return found


def table(variables: Mapping[str, str]) -> str:
    """The names as the runtime reads them: a line each, the kind first."""
    return "".join(f"{kind} {name}\n" for name, kind in sorted(variables.items()))


def _declared(tokens: Sequence[Token], partner: Sequence[int], index: int) -> Iterator[str]:
    """The names of the declaration that goes on at `index`; none of a function."""
    names: list[str] = []
    in_value = False  # behind the `=`, up to the next name
    while index + 1 < len(tokens) and tokens[index].text not in _ENDS:
        token, following = tokens[index], tokens[index + 1]
        in_value = token.text == "=" or (in_value and token.text != ",")
        closer = partner[index]
        if token.text == "(" and not in_value:
            if following.text in ("*", "&") and closer > 0:  # a pointer to a function or an array
                names += [one.text for one in tokens[index:closer] if one.kind == WORD]
                if tokens[closer + 1 : closer + 2] and tokens[closer + 1].text == "(":
                    closer = max(closer + 1, partner[closer + 1])
            elif tokens[index - 1].text not in _WITH_BRACKETS:
                return
        if token.kind == WORD and not in_value and following.text in _AFTER_A_NAME:
            names.append(token.text)
        index = max(index, closer) + 1
    yield from names
