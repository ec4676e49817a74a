"""Find the kernels a file declares, and whether a launch can name one of them by itself.

A launch is typed by the kernel's parameters where its callee names one function.  Where template
arguments are left out, or there are default arguments or overloads, only a call can tell which
function is meant and how it is called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from judge.tokens import DEFINE, DEFINE_END, NUMBER, STRING, WORD, Token

_ATTRIBUTES = frozenset(
    (
        *("__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__"),
        *("__align__", "alignas", "__attribute__"),
    )
)
_LONGEST_HEADER = 512  # tokens: bounds the search for the `template` before a kernel


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
            count = count_arguments(template)
            kernel.template_parameters = max(kernel.template_parameters, count)
    return dict(kernels)


def count_arguments(inside: Sequence[Token]) -> int:
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
        if text == "__global__":
            return None
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
        if tokens[header].text in (";", "{", "}") or index - header > _LONGEST_HEADER:
            return None
    depth = 0
    for end in range(header + 1, index):
        depth += {"<": 1, "(": 1, ")": -1, ">": -1}.get(tokens[end].text, 0)
        if depth == 0:
            return tokens[header + 2 : end]
    return None
