"""How many blocks of a kernel fit on a multiprocessor, and what limits them.  Pure.

Source: CUDA C++ Programming Guide, "Compute Capabilities", and the rules of the toolkit's
cuda_occupancy.h: registers by warps in units of 256, in each of four sub-partitions for itself;
shared memory in units of 128 bytes (256 before compute capability 8) plus what the system reserves.
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.model import Occupancy

_REGISTER_UNIT = 256
_SUB_PARTITIONS = 4
_WARP = 32


def occupancy(
    attributes: Mapping[str, int], *, threads: int, registers: int, shared_bytes: int
) -> Occupancy:
    """Of a launch with this many threads a block, registers a thread, shared bytes a block.

    attributes: of the device, by CUDA's names in lower case (max_threads_per_multiprocessor, ...)
    """
    warps = -(-threads // _WARP)
    reserved = attributes.get("reserved_shared_memory_per_block", 0)
    unit = 128 if attributes.get("compute_capability_major", 8) >= 8 else 256
    shared = _round_up(shared_bytes + reserved, unit)
    per_warp = _round_up(registers * _WARP, _REGISTER_UNIT)
    registers_there = attributes["max_registers_per_multiprocessor"] // _SUB_PARTITIONS
    most_warps = attributes["max_threads_per_multiprocessor"] // _WARP
    limits = {
        "threads": most_warps // warps,
        "blocks": attributes.get("max_blocks_per_multiprocessor", 32),
        "registers": registers_there // per_warp * _SUB_PARTITIONS // warps
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
