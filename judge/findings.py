"""Notes of a check build's runtime as findings: sentences, with the lines they are about.

In come the notes of one call, out come Findings.  Like every note they only explain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge import beyond
from judge.beyond import Layouts
from judge.counted import counted
from judge.model import Finding, Mistake, Place
from judge.notes import Note
from judge.symbols import Symbols

_VERBS = {"read": "reads", "write": "writes", "atomic": "changes atomically"}
_IN_A_BLOCK = "with no barrier between: a __syncthreads() is missing"
_IN_A_WARP = (
    "with nothing between that orders two lanes of one warp, which since Volta need not run in "
    "step: a __syncwarp() is missing"
)
_ON_ONE_ELEMENT = "with no barrier between: two threads, one element"
_BETWEEN_BLOCKS = "in another block: blocks run in any order, so use atomics or a second kernel"


def read(notes: Sequence[Note], symbols: Symbols, layouts: Layouts) -> tuple[Finding, ...]:
    """The findings among the notes of a call, in their order."""
    found = (_finding(note, symbols, layouts) for note in notes if note.kind == "finding")
    return tuple(one for one in found if one is not None)


def _finding(note: Note, symbols: Symbols, layouts: Layouts) -> Finding | None:
    place = symbols.place_of(note.pc, note.line)
    if place is None and note.launch_line > 0:
        place = Place(symbols.file, note.launch_line)
    who, where = _who(note.thread, note.block, note.kernel), beyond.inside(note, layouts)
    does = f"{who} {_VERBS.get(note.access, 'accesses')}"
    details = tuple(_allocated(note, symbols))
    if note.reason == "race":
        other = symbols.place_of(note.other_pc, 0)
        return Finding(Mistake.RACE, f"{does} {where}, {_race(note, other)}", place, other, details)
    if note.reason == "uninitialised":
        text = f"{does} {where}, which nothing has written"
        # What shared memory holds at first may be read and thrown away: the tail of a tile.
        shared = bool(note.shared)
        return Finding(Mistake.UNINITIALISED, text, place, None, details, harmless=shared)
    if note.reason == "async_copy":
        text = (
            f"{does} {where}, to which an asynchronous copy (cp.async) is still on its way: "
            "wait for the copy, then for the other threads, before it is read"
        )
        return Finding(Mistake.UNINITIALISED, text, place, None, details)
    if note.reason == "out_of_bounds":
        text = f"{does} {counted(note.size, 'byte')} at {beyond.outside(note)}"
        return Finding(
            Mistake.OUT_OF_BOUNDS, text, place, None, (*beyond.element(note, layouts), *details)
        )
    if note.reason == "index":
        who = "host code" if note.host else who
        return Finding(Mistake.OUT_OF_BOUNDS, f"{who} uses {note.message}", place)
    if note.reason == "host_access":
        text = (
            f"host code {_VERBS.get(note.access, 'accesses')} {where}, which is device memory: "
            "on a GPU this crashes; use cudaMemcpy"
        )
        return Finding(Mistake.HOST_ACCESS, text, place, None, details)
    if note.reason == "host_variable":
        verb = _VERBS.get(note.access, "accesses")
        text = (
            f"host code {verb} {where}: on a GPU host code has another variable of that name; use "
            "cudaMemcpyToSymbol and cudaMemcpyFromSymbol"
        )
        return Finding(Mistake.HOST_ACCESS, text, place)
    if note.reason == "host_memory":
        return Finding(Mistake.HOST_ACCESS, f"{does} {_of_host(note, symbols)}", place)
    if note.reason == "constant_write":
        text = f"{does} {where}: kernels only read constant memory; use cudaMemcpyToSymbol"
        return Finding(Mistake.CONSTANT_WRITE, text, place)
    if note.reason == "shuffle":
        return Finding(Mistake.SHUFFLE, f"{who}: {note.message}", place, harmless=True)
    return None


def _of_host(note: Note, symbols: Symbols) -> str:
    """What memory of the host it is, and what to do instead."""
    if not note.bytes:
        return "memory of the host: the kernel was given the address of a host variable"
    allocated = symbols.place_of(note.other_pc, 0)
    at = f" allocated at line {allocated.line}" if allocated else ""
    size = counted(note.bytes, "byte")
    return (
        f"memory of the host, {size} of malloc, new or a std::vector{at}: use cudaMalloc and "
        "cudaMemcpy"
    )


def _race(note: Note, other: Place | None) -> str:
    """What the other access was, and what is missing."""
    verb = _VERBS.get(note.other_access, "accesses")
    at = f" at {other}" if other else ""
    thread = f"thread {_triple(note.other_thread)}"
    if note.other_block != note.block:
        return f"which {thread} of block {_triple(note.other_block)} {verb}{at}, {_BETWEEN_BLOCKS}"
    missing = _IN_A_BLOCK if note.shared else _ON_ONE_ELEMENT
    if note.shared and note.one_warp:
        missing = _IN_A_WARP
    return f"which {thread} {verb}{at}, {missing}"


def _who(thread: tuple[int, ...], block: tuple[int, ...], kernel: str) -> str:
    return f"thread {_triple(thread)} of block {_triple(block)} of {kernel}"


def _allocated(note: Note, symbols: Symbols) -> Iterator[str]:
    if note.buffer_line > 0:
        yield f"{note.buffer.removeprefix('freed ')} is allocated at line {note.buffer_line}"


def _triple(index: tuple[int, ...]) -> str:
    return f"({','.join(map(str, index))})"
