"""Call a built submission outside the judge's worker, for tools that watch a whole process.

    ncu ... python -I judge/gpudriver.py setting.json

    {"library": "submission.so", "repeat": 2, "shown": 1, "calls": [[
        {"bytes": 2048, "file": "0-A.bin"},          an array, filled
        {"bytes": 2048},                             an output, left as cudaMalloc gives it
        {"ctype": "int32", "value": 65}]]}

Each array is an allocation of its own of exactly its size, so that a tool sees the first byte past
its end.  `repeat` calls are made on each set, of which the last `shown` are shown to a profiler.
Standard library only.  Ends with 3 and a line on stderr for a CUDA error.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # started by its path, by a Python that finds nothing of ours
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from judge import cvalues

_TO_DEVICE = 1  # cudaMemcpyHostToDevice


class CudaError(Exception):
    """The runtime's answer to a call that failed."""


class Driver:
    """A library that exports `judge_entry`, with the CUDA runtime it is linked against."""

    def __init__(self, library: Path) -> None:
        """Raises OSError if it cannot be loaded."""
        # Its own handle finds the runtime's functions too.
        self._host = ctypes.CDLL(str(library), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        self._host.cudaGetErrorString.restype = ctypes.c_char_p

    def call(self, arguments: list[dict[str, Any]], repeat: int, shown: int) -> None:
        """Call `solve` `repeat` times on arrays of its own.  Raises CudaError."""
        arrays: list[ctypes.c_void_p] = []
        values: list[Any] = []
        for one in arguments:
            if "ctype" in one:
                values.append(cvalues.number(one))
                continue
            values.append(self._array(one))
            arrays.append(values[-1])
        pointers = cvalues.pointers(values)
        for number in range(repeat):
            watched = number >= repeat - shown
            if watched:
                self._ask("cudaProfilerStart")
            self._host.judge_entry(pointers)
            self._ask("cudaGetLastError")
            self._ask("cudaDeviceSynchronize")
            if watched:
                self._ask("cudaProfilerStop")
        for array in arrays:
            self._ask("cudaFree", array)

    def _array(self, one: dict[str, Any]) -> ctypes.c_void_p:
        address = ctypes.c_void_p()
        size = ctypes.c_size_t(max(1, one["bytes"]))
        self._ask("cudaMalloc", ctypes.byref(address), size)
        if "file" in one:
            content = Path(one["file"]).read_bytes()
            self._ask("cudaMemcpy", address, content, ctypes.c_size_t(len(content)), _TO_DEVICE)
        return address

    def _ask(self, function: str, *arguments: Any) -> None:
        error = int(getattr(self._host, function)(*arguments))
        if error:
            told = self._host.cudaGetErrorString(error).decode("utf-8", "replace")
            raise CudaError(f"{function}: error {error}: {told}")


def main() -> int:
    """Make all calls of the setting; the exit code."""
    setting = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    driver = Driver(Path(setting["library"]))
    try:
        for arguments in setting["calls"]:
            driver.call(arguments, setting["repeat"], setting["shown"])
    except CudaError as error:
        print(error, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
