"""How many blocks of a kernel fit on a multiprocessor, and what limits them.  Pure.

Source: CUDA C++ Programming Guide, "Compute Capabilities", and the allocation granularities of the
CUDA occupancy calculator: registers by warps in units of 256, shared memory in units of 128 bytes
plus what the system reserves a block.
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.model import Occupancy

_REGISTER_UNIT = 256
_SHARED_UNIT = 128
_WARP = 32


def occupancy(
    attributes: Mapping[str, int], *, threads: int, registers: int, shared_bytes: int
) -> Occupancy:
    """Of a launch with this many threads a block, registers a thread, shared bytes a block.

    attributes: of the device, by CUDA's names in lower case (max_threads_per_multiprocessor, ...)
    """
    warps = -(-threads // _WARP)
    reserved = attributes.get("reserved_shared_memory_per_block", 0)
    shared = _round_up(shared_bytes + reserved, _SHARED_UNIT)
    per_warp = _round_up(registers * _WARP, _REGISTER_UNIT)
    most_warps = attributes["max_threads_per_multiprocessor"] // _WARP
    limits = {
        "threads": most_warps // warps,
        "blocks": attributes.get("max_blocks_per_multiprocessor", 32),
        "registers": attributes["max_registers_per_multiprocessor"] // (per_warp * warps)
        if per_warp
        else most_warps,
        "shared memory": attributes["max_shared_memory_per_multiprocessor"] // shared
        if shared
        else most_warps,
    }
    limit = min(limits, key=lambda name: limits[name])
    blocks = limits[limit]
    return Occupancy(blocks=blocks, share=blocks * warps / most_warps, limit=limit)


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
