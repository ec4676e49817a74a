"""The PTX instructions that the CPU backend has, each as a C++ statement.

The functions named here are in judge/include/detail/ptx.h and ptx_matrix.h: `get<T>(x)` reads a
register as T, `put<T>(x, value)` writes one, `memory<T>(space, address)` is a location.

Left out, and named when met: what is Hopper's and later (wgmma, TMA, mbarrier, clusters), branches,
named barriers, packed formats that no 16-bit type stands for.

Source: NVIDIA, "PTX ISA", chapters of the instructions' names.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

from judge import ptxmemory
from judge.ptx import PTX, Instruction, Unsupported
from judge.ptxvalues import TYPES, get, put, sources, text, type_of

_ARITHMETIC = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "div": "/", "rem": "%"}
_COMPARISONS = {
    **{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="},
    **{"lo": "<", "ls": "<=", "hi": ">", "hs": ">="},
}
_APPROXIMATE = {
    **{"ex2": "exp2f", "lg2": "log2f", "sin": "sinf", "cos": "cosf", "tanh": "tanhf"},
    **{"sqrt": "sqrtf", "rsqrt": f"{PTX}inverse_root", "rcp": f"{PTX}reciprocal"},
}
# Nothing here waits for memory, and hints to caches have no effect.
_NOTHING = {"prefetch", "prefetchu", "discard", "griddepcontrol", "brkpt", "applypriority"}

# Opcodes of the PTX ISA that are not here.
_ONLY_ON_A_GPU = frozenset(
    {"activemask", "addc", "alloca", "barrier", "bfind", "bmsk", "bra", "brx", "call", "cnot"}
    | {"clusterlaunchcontrol", "copysign", "createpolicy", "dp2a", "dp4a", "elect", "exit", "fns"}
    | {"getctarank", "isspacep", "istypep", "mad24", "madc", "mapa", "match", "mbarrier", "membar"}
    | {"mul24", "multimem", "nanosleep", "pmevent", "red", "redux", "ret", "sad", "set", "shf"}
    | {"setmaxnreg", "slct", "st", "stackrestore", "stacksave", "subc", "suld", "suq", "sured"}
    | {"sust", "szext", "tcgen05", "tensormap", "testp", "tex", "tld4", "trap", "txq", "vabsdiff"}
    | {"vadd", "vmad", "vmax", "vmin", "vote", "vset", "vshl", "vshr", "vsub", "wgmma", "wmma"}
)


def _arithmetic(ins: Instruction) -> str:
    c_type = type_of(ins)
    a, b = sources(c_type, ins.operands, 2)
    return put(c_type, ins.operands[0], f"{a} {_ARITHMETIC[ins.op]} {b}")


def _unary(ins: Instruction) -> str:
    c_type = type_of(ins)
    (a,) = sources(c_type, ins.operands, 1)
    form = {"neg": "-{}", "not": "~{}", "abs": PTX + "magnitude({})"}
    form |= {"popc": "__builtin_popcountll({})", "brev": PTX + "reversed({})"}
    if ins.op == "popc":  # the count is a u32 whatever it counts
        return put("uint32_t", ins.operands[0], form["popc"].format(a))
    return put(c_type, ins.operands[0], form[ins.op].format(a))


def _min_max(ins: Instruction) -> str:
    c_type = type_of(ins)
    a, b = sources(c_type, ins.operands, 2)
    return put(c_type, ins.operands[0], f"{PTX}{ins.op}imum({a}, {b})")


def _shift(ins: Instruction) -> str:
    c_type = type_of(ins)
    a = get(c_type, ins.operands[1])
    by = get("uint32_t", ins.operands[2])
    name = {"shl": "left", "shr": "right"}[ins.op]
    return put(c_type, ins.operands[0], f"{PTX}shifted_{name}({a}, {by})")


def _multiply(ins: Instruction) -> str:
    """mul and mad: .lo, .wide and .hi of integers, or of floats."""
    c_type = TYPES[ins.mods[-1]]
    a, b, *c = sources(c_type, ins.operands, 3 if ins.op == "mad" else 2)
    if "wide" in ins.mods:
        wide = TYPES[ins.mods[-1][0] + str(2 * int(ins.mods[-1][1:]))]
        added = f" + {get(wide, ins.operands[3])}" if c else ""
        return put(wide, ins.operands[0], f"{wide}({a}) * {b}{added}")
    if "hi" in ins.mods:
        return put(c_type, ins.operands[0], " + ".join((f"{PTX}high({a}, {b})", *c)))
    type_of(ins)
    return put(c_type, ins.operands[0], " + ".join((f"{a} * {b}", *c)))


def _fused(ins: Instruction) -> str:
    c_type = type_of(ins)
    return put(
        c_type, ins.operands[0], f"{PTX}fused({', '.join(sources(c_type, ins.operands, 3))})"
    )


def _approximate(ins: Instruction) -> str:
    if type_of(ins) != "float":
        raise Unsupported(ins.name)
    return put("float", ins.operands[0], f"{_APPROXIMATE[ins.op]}({get('float', ins.operands[1])})")


def _move(ins: Instruction) -> str:
    to, source = ins.operands
    c_type = TYPES[ins.mods[-1]]
    if isinstance(to, tuple) or isinstance(source, tuple):
        parts = to if isinstance(to, tuple) else source
        assert isinstance(parts, tuple)
        if "_" in parts or len(parts) != 2:
            raise Unsupported(f"{ins.name} of {len(parts)} parts")
        name = "unpack" if isinstance(to, tuple) else "pack"
        whole = source if isinstance(to, tuple) else to
        return f"{PTX}{name}<{c_type}>({text(whole)}, {', '.join(parts)})"
    return put(c_type, to, get(c_type, source))


def _convert(ins: Instruction) -> str:
    *words, to, source = ins.mods
    rounding = [word for word in words if word not in ("ftz", "sat", "satfinite")]
    if "sat" in words or "satfinite" in words or len(rounding) > 1:
        raise Unsupported(ins.name)
    mode = rounding[0] if rounding else ""
    if to == "tf32" and mode in ("rna", "rn"):
        value = f"{PTX}to_tf32({get('float', ins.operands[1])})"
        return put("float", ins.operands[0], value)
    if to in ("f16x2", "bf16x2") and source == "f32" and mode in ("", "rn"):
        high, low = sources("float", ins.operands, 2)
        return put(TYPES[to], ins.operands[0], f"{PTX}packed<{TYPES[to]}>({low}, {high})")
    if mode not in ("", "rn", "rni", "rzi", "rmi", "rpi"):
        raise Unsupported(ins.name)
    value = get(TYPES[source], ins.operands[1])
    if mode in ("rni", "rzi", "rmi", "rpi"):
        value = f"{PTX}to_whole_{mode}({value})"
    return put(TYPES[to], ins.operands[0], f"{PTX}converted<{TYPES[to]}>({value})")


def _compare(ins: Instruction) -> str:
    comparison, *rest = [mod for mod in ins.mods if mod != "ftz"]
    (name,) = rest
    a, b = sources(TYPES[name], ins.operands, 2)
    return f"{text(ins.operands[0])} = {a} {_COMPARISONS[comparison]} {b}"


def _select(ins: Instruction) -> str:
    c_type = type_of(ins)
    to, a, b, predicate = ins.operands
    chosen = f"bool({text(predicate)}) ? {get(c_type, a)} : {get(c_type, b)}"
    return put(c_type, to, chosen)


def _bits(ins: Instruction) -> str:
    """lop3, prmt, bfe, bfi, shf and their like on 32 bits."""
    name = "_".join((ins.op, *(mod for mod in ins.mods[:-1])))
    count = {"lop3": 4, "prmt": 3, "bfe": 3, "bfi": 4}[ins.op]
    c_type = TYPES[ins.mods[-1]]
    values = ", ".join(sources(c_type, ins.operands, count))
    return put(c_type, ins.operands[0], f"{PTX}{name}({values})")


HANDLERS: dict[str, Callable[[Instruction], str]] = {
    **ptxmemory.HANDLERS,
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
    **dict.fromkeys(("neg", "not", "abs", "popc", "brev"), _unary),
    **dict.fromkeys(("min", "max"), _min_max),
    **dict.fromkeys(("shl", "shr"), _shift),
    **dict.fromkeys(("mul", "mad"), _multiply),
    **dict.fromkeys(_APPROXIMATE, _approximate),
    **dict.fromkeys(("lop3", "prmt", "bfe", "bfi"), _bits),
    **{"fma": _fused, "mov": _move, "cvt": _convert, "setp": _compare, "selp": _select},
}


def hint(error: Unsupported) -> str:
    """` (did you mean add or and?)` for an opcode that PTX lacks too, if others are like it."""
    op = re.split(r"\W", str(error), maxsplit=1)[0]
    known = {*HANDLERS, *_NOTHING, *_ONLY_ON_A_GPU}
    near = [] if op in known else difflib.get_close_matches(op, sorted(known), n=len(known))
    near.sort(key=lambda one: one[0] != op[0])  # rarely is the first letter the wrong one
    return f" (did you mean {' or '.join(near[:2])}?)" if near else ""


def translate(ins: Instruction) -> str:
    """One C++ statement.  Raises Unsupported, which names the instruction."""
    if ins.op in _NOTHING:
        return ";"
    handler = HANDLERS.get(ins.op)
    try:
        if handler is None:
            raise Unsupported(ins.name)
        return handler(ins) + ";"
    except (ValueError, IndexError, KeyError):
        raise Unsupported(ins.name) from None
