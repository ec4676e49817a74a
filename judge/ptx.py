"""Inline PTX -> C++: the statements of one `asm`, each a call into judge/include/detail/ptx.h.

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    do { auto&& emu_0 = (lane); ::emu::ptx::put<uint32_t>(emu_0, ::emu::ptx::lane()); } while (0);

A translation is one line without preprocessor lines, so that it can stand in a macro.  What an
instruction means is in ptxtable.py; what the table does not hold raises Unsupported, whose text
names the instruction as people write it.

Source of the syntax: NVIDIA, "Inline PTX Assembly in CUDA" and "PTX ISA".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

PTX = "::emu::ptx::"


class Unsupported(Exception):
    """An instruction that the CPU backend does not have; str() names it."""


@dataclass(frozen=True)
class Instruction:
    """`@p op.mod1.mod2 operand, {operand, operand}, [address + 16];`

    operands: C++ expressions; a tuple for `{...}`; an Address for `[...]`
    guard:    C++ condition, or ""
    """

    op: str
    mods: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: str = ""

    @property
    def name(self) -> str:
        """As people write it, without operands."""
        return ".".join((self.op, *self.mods))


@dataclass(frozen=True)
class Address:
    """`[base + offset]`: a C++ expression and a number of bytes."""

    base: str
    offset: int = 0


Operand = str | tuple[str, ...] | Address


@dataclass
class _Scope:
    """What the names of one asm mean: operands by number, registers declared in it."""

    operands: Sequence[str]
    registers: set[str] = field(default_factory=set)


_LANE = f"{PTX}lane()"
_SPECIAL = {
    "laneid": _LANE,
    "warpid": f"{PTX}warp()",
    "nwarpid": "32u",
    "smid": "0u",
    "nsmid": f"{PTX}multiprocessors()",
    "clock": "uint32_t(clock64())",
    "clock64": "uint64_t(clock64())",
    "globaltimer": "uint64_t(clock64())",
    "lanemask_eq": f"(1u << {_LANE})",
    "lanemask_lt": f"((1u << {_LANE}) - 1)",
    "lanemask_le": f"((2u << {_LANE}) - 1)",
    "lanemask_gt": f"~((2u << {_LANE}) - 1)",
    "lanemask_ge": f"~((1u << {_LANE}) - 1)",
}
_BUILT_IN = {"tid": "threadIdx", "ntid": "blockDim", "ctaid": "blockIdx", "nctaid": "gridDim"}
_REGISTER_TYPES = {
    "pred": "bool",
    **{f"{kind}{bits}": f"uint{bits}_t" for kind in "bus" for bits in (8, 16, 32, 64)},
    **{"f16": "uint16_t", "bf16": "uint16_t", "f16x2": "uint32_t", "bf16x2": "uint32_t"},
    **{"f32": "float", "f64": "double"},
}
_ID = re.compile(r"[A-Za-z_$][\w$]*\Z")
_NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uU]?\Z")
_HEX_FLOAT = re.compile(r"0[fF]([0-9a-fA-F]{8})\Z|0[dD]([0-9a-fA-F]{16})\Z")
_DECIMAL = re.compile(r"-?\d+\.\d*(?:[eE][+-]?\d+)?\Z")


def parse(text: str, operands: Sequence[str]) -> list[Instruction | str]:
    """PTX text -> instructions, and the C++ of what declares or groups: `{`, `}`, registers.

    operands: what stands for %0, %1, ...;  Raises Unsupported.
    """
    scope = _Scope(operands)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    found: list[Instruction | str] = []
    position = 0
    while True:
        position += len(text[position:]) - len(text[position:].lstrip())
        if position >= len(text):
            return found
        if text[position] in "{};":
            if text[position] != ";":
                found.append(text[position])
            position += 1
            continue
        end = text.find(";", position)
        end = len(text) if end < 0 else end
        found.append(_statement(text[position:end].strip(), scope))
        position = end + 1


def _statement(text: str, scope: _Scope) -> Instruction | str:
    if text.startswith(".reg"):
        return _declaration(text, scope)
    guard = ""
    if text.startswith("@"):
        predicate, _, text = text[1:].partition(" ")
        negated = predicate.startswith("!")
        guard = "!" * negated + f"bool({_value(predicate.removeprefix('!'), scope)})"
    head, _, rest = text.strip().partition(" ")
    head = head.strip()
    if "\n" in head or "\t" in head:
        head, *more = re.split(r"\s", head, maxsplit=1)
        rest = " ".join((*more, rest))
    if head.endswith(":") or not re.match(r"[a-z]\w*(?:[.:]+\w+)*\Z", head):
        raise Unsupported(text.split("\n")[0][:40])
    # A state space may say which: `.shared::cta`; a cache hint, how much: `.L2::128B`.
    op, *mods = head.replace("shared::cta", "shared").split(".")
    try:
        return Instruction(op, tuple(mods), tuple(_operands(rest, scope)), guard)
    except Unsupported as error:
        raise Unsupported(f"{head} of {error}") from None


def _declaration(text: str, scope: _Scope) -> str:
    """`.reg .b32 a, b<4>;` -> variables."""
    found = re.match(r"\.reg\s+(?:\.v\d\s+)?\.(\w+)\s+(.*)\Z", text, re.DOTALL)
    c_type = _REGISTER_TYPES.get(found[1]) if found else None
    if found is None or c_type is None:
        raise Unsupported(" ".join(text.split())[:40])
    names: list[str] = []
    for part in found[2].split(","):
        many = re.match(r"\s*(%?[\w$]+)<(\d{1,2})>\s*\Z", part)
        names += [f"{many[1]}{n}" for n in range(int(many[2]))] if many else [part.strip()]
    scope.registers |= set(names)
    return " ".join(f"{c_type} {_register(name)}{{}};" for name in names)


def _register(name: str) -> str:
    plain = name.lstrip("%")
    if not _ID.match(plain):
        raise Unsupported(f"register {name[:20]}")
    return "emu_r_" + plain.replace("$", "_")


def _operands(text: str, scope: _Scope) -> list[Operand]:
    found: list[Operand] = []
    for part in _split(text):
        if part.startswith("{"):
            found.append(tuple(_value(one, scope) for one in _split(part[1:-1])))
        elif part.startswith("["):
            found.append(_address(part[1:-1], scope))
        elif "|" in part:
            found.append(tuple(_value(one, scope) for one in part.split("|")))
        else:
            found.append(_value(part, scope))
    return found


def _split(text: str) -> list[str]:
    """At the commas outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "{[") - (letter in "}]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _address(text: str, scope: _Scope) -> Address:
    found = re.match(r"\s*([^\s+]+)\s*(?:\+\s*(-?\w+)\s*)?\Z", text)
    if found is None:
        raise Unsupported(f"the address [{' '.join(text.split())[:30]}]")
    if found[2] and not _NUMBER.match(found[2]):
        base = f"({_value(found[1], scope)} + {_value(found[2], scope)})"
        return Address(base)
    return Address(_value(found[1], scope), int(found[2] or "0", 0))


def _value(text: str, scope: _Scope) -> str:
    """One operand as a C++ expression."""
    text = text.strip()
    if text in scope.registers:
        return _register(text)
    if re.match(r"%\d+\Z", text) and int(text[1:]) < len(scope.operands):
        return scope.operands[int(text[1:])]
    if text.startswith("%"):
        name, _, component = text.lstrip("%").partition(".")
        if name in _SPECIAL and not component:
            return _SPECIAL[name]
        if name in _BUILT_IN and component in ("x", "y", "z"):
            return f"uint32_t({_BUILT_IN[name]}.{component})"
    if _NUMBER.match(text):
        return str(int(text.rstrip("uU"), 0)) + ("ll" if len(text) > 9 else "")
    bits = _HEX_FLOAT.match(text)
    if bits:
        wide = bits[1] is None
        word, c_type = ("uint64_t", "double") if wide else ("uint32_t", "float")
        return f"::emu::bit_cast<{c_type}>({word}(0x{bits[1] or bits[2]}))"
    if _DECIMAL.match(text):
        return text
    raise Unsupported(text[:30])
