"""Registers and types of PTX in C++: what the tables of instructions are written in."""

from __future__ import annotations

from collections.abc import Sequence

from judge.ptx import PTX, Instruction, Operand, Unsupported

TYPES = {
    **{f"{kind}{bits}": f"uint{bits}_t" for kind in "bu" for bits in (8, 16, 32, 64)},
    **{f"s{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)},
    **{"f32": "float", "f64": "double", "f16": "__half", "bf16": "__nv_bfloat16"},
    **{"f16x2": "__half2", "bf16x2": "__nv_bfloat162", "pred": "bool"},
}
# What says how, not what: rounding to nearest is what plain C++ does; hints change no result.
PLAIN = {"rn", "rni", "ftz", "approx", "full", "lo", "noftz"}


def type_of(ins: Instruction, plain: set[str] = PLAIN) -> str:
    """The one type of an instruction whose other words change nothing."""
    *words, name = ins.mods
    if set(words) - plain:
        raise Unsupported(ins.name)
    return TYPES[name]


def text(operand: Operand) -> str:
    if not isinstance(operand, str):
        raise ValueError(operand)
    return operand


def each(operand: Operand) -> tuple[str, ...]:
    return operand if isinstance(operand, tuple) else (text(operand),)


def get(c_type: str, operand: Operand) -> str:
    return f"{PTX}get<{c_type}>({text(operand)})"


def put(c_type: str, operand: Operand, value: str) -> str:
    return f"{PTX}put<{c_type}>({text(operand)}, {c_type}({value}))"


def sources(c_type: str, operands: Sequence[Operand], count: int) -> list[str]:
    if len(operands) != count + 1:
        raise ValueError(operands)
    return [get(c_type, operand) for operand in operands[1:]]
