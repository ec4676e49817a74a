"""Load the emulator and a small program, call it, write down what came of it.

    python drive.py '{"runtime": so, "library": so, "notes": path, "result": path, "os_threads": 1,
                      "memory_limit": 0, "schedules": [0], "numbers": [61],
                      "buffers": [{"name": "A", "values": [1.0, 2.0], "read_only": true}]}'

The buffers (float32) come first among the arguments, then the numbers (int32).  The result is one
JSON object {"errors": [of each call], "buffers": {name: values}, "addresses": [of each call]}; it
is missing if the process died.  The tests read it beside the notes.
"""

from __future__ import annotations

import ctypes
import json
import os
import struct
import sys
from typing import Any

PAGE = 4096


def main() -> None:
    """See the module."""
    plan = json.loads(sys.argv[1])
    runtime = ctypes.CDLL(plan["runtime"], mode=ctypes.RTLD_GLOBAL)
    runtime.emu_map_buffer.restype = ctypes.c_void_p
    notes = os.open(plan["notes"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    limit = ctypes.c_uint64(plan.get("memory_limit", 0))
    assert runtime.emu_start(notes, limit, plan.get("os_threads", 1)) == 0
    library = ctypes.CDLL(plan["library"])
    entry = ctypes.cast(library.judge_entry, ctypes.c_void_p)
    runtime.emu_attach(entry)

    arena = os.memfd_create("arena")
    result: dict[str, Any] = {"errors": [], "buffers": {}, "addresses": []}
    placed = []
    for one in plan.get("buffers", []):
        data = struct.pack(f"{len(one['values'])}f", *one["values"])
        slot_bytes = max(PAGE, (len(data) + 15) // 16 * 16 + PAGE - 1) // PAGE * PAGE
        slot = os.lseek(arena, 0, os.SEEK_END)
        os.ftruncate(arena, slot + slot_bytes)
        start = slot + slot_bytes - (len(data) + 15) // 16 * 16
        os.pwrite(arena, data, start)
        placed.append((one, slot, slot_bytes, len(data), start))
    known: list[Any] = [None] * len(placed)
    for schedule in plan.get("schedules", [0]):
        values: list[Any] = []
        for index, (one, slot, slot_bytes, size, _) in enumerate(placed):
            place = map(ctypes.c_uint64, (slot, slot_bytes, size))
            again = known[index] if plan.get("same_addresses") else None
            address = runtime.emu_map_buffer(
                one["name"].encode(), arena, *place, int(one.get("read_only", 0)),
                ctypes.c_void_p(again),
            )  # fmt: skip
            assert address, one["name"]
            known[index] = address
            values.append(ctypes.c_void_p(address))
        values += [ctypes.c_int(number) for number in plan.get("numbers", [])]
        arguments = (ctypes.c_void_p * max(1, len(values)))(*map(ctypes.addressof, values))
        result["addresses"].append(list(known))
        result["errors"].append(runtime.emu_call(entry, arguments, ctypes.c_uint64(schedule)))
        for address in known:
            assert runtime.emu_unmap_buffer(ctypes.c_void_p(address)) == 0
    for one, _, _, size, start in placed:
        result["buffers"][one["name"]] = list(
            struct.unpack(f"{size // 4}f", os.pread(arena, size, start))
        )
    with open(plan["result"], "w") as file:
        json.dump(result, file)


if __name__ == "__main__":
    main()
