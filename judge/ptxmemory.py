"""PTX that touches memory or other threads, each instruction as a C++ statement.

Loads, stores, atomics, asynchronous copies, barriers, warp operations, matrices: by functions of
judge/include/detail/ptx.h and ptx_matrix.h.

Source: NVIDIA, "PTX ISA", chapters of the instructions' names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judge.ptx import PTX, Address, Instruction, Operand, Unsupported
from judge.ptxvalues import TYPES, each, get, put, text

_MEMORY_WORDS = {
    **dict.fromkeys(("relaxed", "weak", "gpu", "cta", "sys", "nc", "ca", "cg", "cs", "lu", "cv")),
    **dict.fromkeys(("wb", "wt", "cluster")),
}
_SPACES = {"global": "false", "shared": "true", "local": "false", "const": "false"}
_ATOMICS = {
    **{"add": "atomicAdd", "min": "atomicMin", "max": "atomicMax", "and": "atomicAnd"},
    **{"or": "atomicOr", "xor": "atomicXor", "exch": "atomicExch", "inc": "atomicInc"},
    **{"dec": "atomicDec", "cas": "atomicCAS"},
}
_SHUFFLES = {"idx": "idx", "up": "up", "down": "down", "bfly": "xor"}


def _to_shared(ins: Instruction) -> str:
    """cvta.to.shared.u64 and back: an address changes its space."""
    to_space = ins.mods[0] == "to"
    space, c_type = ins.mods[-2], TYPES[ins.mods[-1]]
    if space not in _SPACES:
        raise Unsupported(ins.name)
    value = get(c_type, ins.operands[1])
    if space == "shared":
        value = f"{PTX}{'to_shared' if to_space else 'from_shared'}({value})"
    return put(c_type, ins.operands[0], value)


def _access(ins: Instruction) -> tuple[str, str, bool, bool]:
    """(type, whether in shared memory, whether it orders, whether others may change it)."""
    words = [word for word in ins.mods if "::" not in word]
    spaces = [word for word in words if word in _SPACES]
    orders = bool({"acquire", "release", "acq_rel"} & set(words))
    changes = orders or bool({"volatile", "relaxed"} & set(words))
    known = {*_MEMORY_WORDS, *_SPACES, "acquire", "release", "acq_rel", "volatile", "v2", "v4"}
    *rest, name = words
    if len(spaces) > 1 or set(rest) - known - set(_ATOMICS) - {"noftz"}:
        raise Unsupported(ins.name)
    shared = _SPACES[spaces[0]] if spaces else "false"
    return TYPES[name], shared, orders, changes


def _location(operand: Operand, c_type: str, shared: str) -> str:
    if not isinstance(operand, Address):
        raise ValueError(operand)
    return f"{PTX}location<{c_type}, {shared}>({operand.base}, {operand.offset})"


def _load(ins: Instruction) -> str:
    c_type, shared, orders, changes = _access(ins)
    parts = ", ".join(each(ins.operands[0]))
    address = _location(ins.operands[1], c_type, shared)
    if len(ins.operands) != 2:  # a cache policy
        raise Unsupported(ins.name)
    name = "load_volatile" if changes else "load"
    return f"{PTX}{name}({address}, {parts})" + ("; __threadfence()" if orders else "")


def _store(ins: Instruction) -> str:
    c_type, shared, orders, changes = _access(ins)
    parts = ", ".join(each(ins.operands[1]))
    address = _location(ins.operands[0], c_type, shared)
    if len(ins.operands) != 2:
        raise Unsupported(ins.name)
    name = "store_volatile" if changes else "store"
    return ("__threadfence(); " if orders else "") + f"{PTX}{name}({address}, {parts})"


def _atomic(ins: Instruction) -> str:
    """atom gives the old value, red nothing."""
    c_type, shared, orders, _ = _access(ins)
    (name,) = [_ATOMICS[mod] for mod in ins.mods if mod in _ATOMICS]
    places = ins.operands[1:] if ins.op == "atom" else ins.operands
    address = _location(places[0], c_type, shared)
    values = ", ".join(f"{PTX}atomic_value({get(c_type, one)})" for one in places[1:])
    code = f"{name}({PTX}atomic_place({address}), {values})"
    fence = "__threadfence(); " if orders else ""
    if ins.op == "atom":
        code = put(c_type, ins.operands[0], f"{PTX}get<{c_type}>({code})")
    return f"{fence}{code}" + ("; __threadfence()" if orders else "")


def _shuffle(ins: Instruction) -> str:
    _, mode, _ = ins.mods
    to, value, lane, clamp, mask = ins.operands
    values = ", ".join(get("uint32_t", one) for one in (value, lane, clamp, mask))
    return put("uint32_t", to, f"{PTX}shuffle_{_SHUFFLES[mode]}(__LINE__, {values})")


def _vote(ins: Instruction) -> str:
    _, mode, kind = ins.mods
    to, predicate, mask = ins.operands
    names = {"ballot": "__ballot_sync", "any": "__any_sync", "all": "__all_sync"}
    value = f"{names[mode]}({get('uint32_t', mask)}, bool({text(predicate)}))"
    return put("bool" if kind == "pred" else "uint32_t", to, value)


def _barrier(ins: Instruction) -> str:
    if ins.op == "bar" and ins.mods == ("warp", "sync"):
        return f"__syncwarp({get('uint32_t', ins.operands[0])}, __LINE__)"
    if "sync" not in ins.mods or ins.operands != ("0",):
        raise Unsupported(f"{ins.name} of another barrier than 0, or of a part of the block")
    return "__syncthreads(__LINE__)"


def _fence(ins: Instruction) -> str:
    return "__threadfence()"


def _copy_async(ins: Instruction) -> str:
    words = [mod for mod in ins.mods if "::" not in mod]
    if words == ["async", "commit_group"]:
        return "emu_async_commit()"
    if words == ["async", "wait_all"]:
        return "emu_async_commit(); ::emu::wait_for_copies(0)"
    if words == ["async", "wait_group"]:
        return f"::emu::wait_for_copies({get('uint32_t', ins.operands[0])})"
    if words not in (["async", "cg", "shared", "global"], ["async", "ca", "shared", "global"]):
        raise Unsupported(ins.name)
    to, source, size, *rest = ins.operands
    if len(rest) > 1 or not isinstance(to, Address) or not isinstance(source, Address):
        raise Unsupported(ins.name)
    there = _location(to, "char", "true")
    here = _location(source, "const char", "false")
    read = get("uint32_t", rest[0] if rest else size)
    copied = get("uint32_t", size)
    return f"::emu::start_copy({there}, {here}, {copied}, {read}, __LINE__)"


def _matrix_move(ins: Instruction) -> str:
    """ldmatrix and stmatrix of 8 x 8 matrices of 16 bits."""
    words = [mod for mod in ins.mods if mod not in ("sync", "aligned", "trans")]
    shape, number, space, kind = words
    if (shape, space, kind) != ("m8n8", "shared", "b16") or number not in ("x1", "x2", "x4"):
        raise Unsupported(ins.name)
    registers, address = ins.operands if ins.op == "ldmatrix" else ins.operands[::-1]
    place = _location(address, "uint16_t", "true")
    transposed = "true" if "trans" in ins.mods else "false"
    parts = each(registers)
    if len(parts) != int(number[1:]):
        raise ValueError(ins.operands)
    return f"{PTX}{ins.op}<{transposed}>(__LINE__, {place}, {', '.join(parts)})"


def _matrix_multiply(ins: Instruction) -> str:
    words = [mod for mod in ins.mods if mod not in ("sync", "aligned", "satfinite")]
    if "satfinite" in ins.mods:
        raise Unsupported(ins.name)
    shape, a_layout, b_layout, *kinds = words
    if (a_layout, b_layout) != ("row", "col") or len(kinds) != 4:
        raise Unsupported(ins.name)
    m, n, k = (
        int(size) for size in shape.replace("m", " ").replace("n", " ").replace("k", " ").split()
    )
    factors = {**TYPES, "tf32": f"{PTX}tf32"}
    types = ", ".join(factors[kind] for kind in kinds)
    _check_shape(ins, (m, n, k), kinds)
    registers = ", ".join(f"{PTX}registers({', '.join(each(one))})" for one in ins.operands)
    return f"{PTX}mma<{m}, {n}, {k}, {types}>(__LINE__, {registers})"


_SHAPES = {
    "f16": {(16, 8, 8), (16, 8, 16)},
    "bf16": {(16, 8, 8), (16, 8, 16)},
    "tf32": {(16, 8, 4), (16, 8, 8)},
    "s8": {(8, 8, 16), (16, 8, 16), (16, 8, 32)},
    "u8": {(8, 8, 16), (16, 8, 16), (16, 8, 32)},
    "f64": {(8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)},
}
_SUMS = {"f16": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "f64": ("f64",)}


def _check_shape(ins: Instruction, shape: tuple[int, int, int], kinds: Sequence[str]) -> None:
    result, a, b, addend = kinds
    sums = _SUMS.get(a, ("s32",))
    if shape not in _SHAPES.get(a, ()) or result not in sums or addend not in sums:
        raise Unsupported(ins.name)
    if a != b and not {a, b} <= {"s8", "u8"}:
        raise Unsupported(ins.name)


def _trap(ins: Instruction) -> str:
    return "__trap()"


def _sleep(ins: Instruction) -> str:
    return "__nanosleep(1)"


HANDLERS: dict[str, Callable[[Instruction], str]] = {
    **dict.fromkeys(("membar", "fence"), _fence),
    **dict.fromkeys(("bar", "barrier"), _barrier),
    **dict.fromkeys(("atom", "red"), _atomic),
    **dict.fromkeys(("ldmatrix", "stmatrix"), _matrix_move),
    **dict.fromkeys(("ld", "ldu"), _load),
    **{"cvta": _to_shared, "st": _store, "shfl": _shuffle, "vote": _vote, "cp": _copy_async},
    **{"mma": _matrix_multiply, "trap": _trap, "nanosleep": _sleep},
}
