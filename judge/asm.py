"""An `asm` statement of CUDA C++ -> the C++ that does the same on the CPU backend.

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    do { auto&& emu_0 = (lane); ::emu::ptx::put<uint32_t>(emu_0, ::emu::ptx::lane()); } while (0);

In come the tokens between its parentheses, out goes one line, so that it can stand in a macro.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge import ptx, ptxtable
from judge.tokens import STRING, Token


def translate(tokens: Sequence[Token]) -> str:
    """One C++ statement without its semicolon.  Raises ptx.Unsupported, naming what it is."""
    template, *sections = _sections(tokens)
    text, pasted = _text(template)
    outputs, inputs = ([*sections, [], []])[:2]
    bound: list[str] = []
    names: list[str] = []
    for section, binding in ((outputs, "auto&&"), (inputs, "const auto")):
        for expression in _expressions(section):
            names.append(f"emu_{len(names)}")
            bound.append(f"{binding} {names[-1]} = ({expression});")
    # A parameter of a macro, pasted between the strings of the text, stands for itself.
    text = re.sub(r"%#(\d+)#", lambda match: f"%{len(names) + int(match[1])}", text)
    body: list[str] = []
    for instruction in ptx.parse(text, [*names, *(f"({one})" for one in pasted)]):
        if isinstance(instruction, str):
            body.append(instruction)
            continue
        code = ptxtable.translate(instruction)
        body.append(f"if ({instruction.guard}) {{ {code} }}" if instruction.guard else code)
    return f"do {{ {' '.join((*bound, *body))} }} while (0)"


def _sections(tokens: Sequence[Token]) -> list[list[Token]]:
    """The text, outputs, inputs and clobbers: what lies between colons outside of brackets."""
    sections: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if not depth and token.text in (":", "::"):
            sections += [[] for _ in token.text]
        else:
            sections[-1].append(token)
    return sections


def _text(tokens: Sequence[Token]) -> tuple[str, list[str]]:
    """The PTX, and the macro parameters pasted into it, which stand in it as %#0#, %#1#, ..."""
    text = ""
    pasted: list[str] = []
    for index, token in enumerate(tokens):
        if token.kind == STRING:
            text += _literal(token)
        elif token.text != "#":
            if index == 0 or tokens[index - 1].text != "#":
                raise ptx.Unsupported(f"with {token.text[:20]} as its text")
            text += f"%#{len(pasted)}#"
            pasted.append(token.text)
    return text, pasted


def _literal(token: Token) -> str:
    """What a string literal says, as far as PTX needs it: white space is a blank or a new line."""
    text = token.text
    raw = re.match(r'R"([^(]*)\((.*)\)\1"\Z', text, re.DOTALL)
    if raw:
        return raw[2]
    escapes = {"n": "\n", '"': '"', "\\": "\\"}
    return re.sub(r"\\(.)", lambda match: escapes.get(match[1], " "), text[1:-1], flags=re.DOTALL)


def _expressions(tokens: Sequence[Token]) -> list[str]:
    """`"=r"(a), "+f"(b[0])` -> `a`, `b[0]`."""
    found: list[list[Token]] = []
    depth = 0
    for token in tokens:
        closes = token.text == ")"
        depth -= closes
        if depth:
            found[-1].append(token)
        elif token.text == "(":
            found.append([])
        elif token.text == "[":
            raise ptx.Unsupported("with named operands")
        depth += token.text == "("
    return [_joined(expression) for expression in found]


def _joined(tokens: Sequence[Token]) -> str:
    """Tokens as text on one line: together where they were together."""
    text, end = "", -1
    for token in tokens:
        text += ("" if token.start == end else " ") + token.text
        end = token.end
    return text.strip()
