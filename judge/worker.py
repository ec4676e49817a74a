"""The process that loads a submission and calls it; it may die, and is allowed to.

    python -I -S judge/worker.py '{"runtime": ..., "library": ..., ...}'

    judge -> worker   {"call": 7301, "schedule": 0, "same_addresses": false, "arguments": [
                         {"name": "A", "slot": 4096, "slot_bytes": 8192, "bytes": 6466,
                          "access": 1},
                         {"name": "M", "ctype": "int32", "value": 61}]}
    worker -> judge   {"started": 1, "cage": ["privileges", "files", "calls"]}
                                                      once: our half works, the submission is next
                      {"ready": 1}                    once: the submission is loaded
                      {"refused": "undefined symbol: f"}    instead of ready: it cannot be loaded
                      {"returned": 7301, "error": 0, "seconds": 0.0021}     after each call
    runtime -> judge  notes, on a third pipe: diagnosis only (judge/notes.py)

One JSON object a line.  The judge believes nothing here but that a call returned: from the moment
the submission is loaded, every byte may be the submission's own.  Standard library only, and few
modules of it, since the start of a worker is waited for.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import sys
import time
from typing import Any

if __name__ == "__main__":  # started by its path, by a Python that finds nothing of ours
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from judge import cage, cvalues

_LINE_BUFFERED = 1
_STDERR = 2
BROKEN = 70
"""Exit status of a worker whose pipes or memory the submission broke."""


class Runtime:
    """libcuda_emu.so, with the types of the functions the worker calls (judge/emu/emu.h)."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path, mode=os.RTLD_GLOBAL | os.RTLD_NOW)
        pointer, word, number = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int
        self.start = self._function("emu_start", number, number, word, number)
        self.map = self._function(
            *("emu_map_buffer", pointer, ctypes.c_char_p, number, word, word, word, number, pointer)
        )
        self.unmap = self._function("emu_unmap_buffer", number, pointer)
        self.attach = self._function("emu_attach", None, pointer)
        self.call = self._function("emu_call", number, pointer, pointer, word)

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        function = getattr(self._library, name)
        function.restype, function.argtypes = result, arguments
        return function


class Worker:
    """A loaded submission, its entry point and the addresses of the call before."""

    def __init__(self, runtime: Runtime, library: str, arena: int) -> None:
        """Raises OSError if the submission cannot be loaded, AttributeError without its entry."""
        self._runtime, self._arena = runtime, arena
        self._submission = ctypes.CDLL(library, mode=os.RTLD_LOCAL | os.RTLD_NOW)
        self._entry = ctypes.cast(self._submission.judge_entry, ctypes.c_void_p)
        self._libc = ctypes.CDLL(None)
        self._addresses: dict[str, int] = {}
        runtime.attach(self._entry)

    def call(self, message: dict[str, Any]) -> dict[str, Any]:
        """Map the arrays, call `solve` on them, unmap them."""
        arguments = message["arguments"]
        values: list[Any] = []
        mapped: dict[str, int] = {}
        for one in arguments:
            if "slot" in one:
                wanted = self._addresses.get(one["name"]) if message["same_addresses"] else None
                mapped[one["name"]] = self._map(one, wanted)
                values.append(ctypes.c_void_p(mapped[one["name"]]))
            else:
                values.append(cvalues.number(one))
        pointers = cvalues.pointers(values)
        began = time.perf_counter()
        error = self._runtime.call(self._entry, pointers, message["schedule"])
        seconds = time.perf_counter() - began
        self._libc.fflush(None)
        for address in mapped.values():
            self._runtime.unmap(address)
        self._addresses = mapped
        return {"returned": message["call"], "error": error, "seconds": seconds}

    def _map(self, one: dict[str, Any], wanted: int | None) -> int:
        place = one["slot"], one["slot_bytes"], one["bytes"], one["access"]
        name = one["name"].encode()
        address = self._runtime.map(name, self._arena, *place, wanted)
        if not address and wanted:  # something else lies there by now
            address = self._runtime.map(name, self._arena, *place, None)
        if not address:
            raise MemoryError(f"no room to map {one['name']}")
        return int(address)


def main() -> None:
    """Load, say so, then answer calls until the judge closes the pipe."""
    setting = json.loads(sys.argv[1])
    answers = setting["answers"]
    runtime = Runtime(setting["runtime"])
    if runtime.start(setting["notes"], setting["memory_bytes"], setting["os_threads"]) != 0:
        raise OSError("emu_start failed")
    libc = ctypes.CDLL(None)
    # A crash should not take the lines before it along.
    libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, _LINE_BUFFERED, ctypes.c_size_t(0))
    _send(answers, {"started": 1, "cage": cage.enter(**setting["cage"])})
    try:
        worker = Worker(runtime, setting["library"], setting["arena"])
    except (OSError, AttributeError) as error:
        _send(answers, {"refused": str(error)[:1000]})
        os._exit(1)
    _send(answers, {"ready": 1})
    try:
        for line in open(setting["calls"], "rb", closefd=False):  # noqa: SIM115 (open to the end)
            _send(answers, worker.call(json.loads(line)))
    except (OSError, MemoryError, ValueError) as error:  # the submission broke our pipes or memory
        with contextlib.suppress(OSError):
            os.write(_STDERR, f"worker: {error}\n".encode())
        os._exit(BROKEN)
    os._exit(0)  # whatever the submission registered with atexit is not run


def _send(descriptor: int, message: dict[str, Any]) -> None:
    os.write(descriptor, json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main()
