"""The worker's end of the arena (judge/gpumemory.py): the judge's device memory, mapped, or device
memory of this process's own with the file that the judge fills and looks at.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Mapping, Sequence
from typing import Any

_TO_DEVICE, _TO_HOST = 1, 2  # cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost


class Mapped:
    """The arena at `address` on the device."""

    def __init__(self, device: Any, setting: Mapping[str, Any]) -> None:
        """device: a judge.gpudevice.Device.  Raises the driver's error without CUDA IPC."""
        self._host = 0
        if "arena" in setting:
            self._arena = device.open_shared(bytes.fromhex(setting["arena"]))
        else:
            self._file = mmap.mmap(setting["file"], setting["capacity"])
            self._host = ctypes.addressof(ctypes.c_char.from_buffer(self._file))
            self._arena = device.allocate(setting["capacity"])
        self.address = int(self._arena)

    def put(self, runtime: Any, ranges: Sequence[tuple[int, int]]) -> int:
        """Copy these bytes of the file to the device; the runtime's error, 0 if there is none."""
        return self._copy(runtime, ranges, _TO_DEVICE)

    def fetch(self, runtime: Any, ranges: Sequence[tuple[int, int]]) -> int:
        """Copy them back to the file."""
        return self._copy(runtime, ranges, _TO_HOST)

    def _copy(self, runtime: Any, ranges: Sequence[tuple[int, int]], kind: int) -> int:
        for start, end in ranges:
            here, there = ctypes.c_void_p(self._host + start), ctypes.c_void_p(self.address + start)
            to, source = (there, here) if kind == _TO_DEVICE else (here, there)
            error = int(runtime.cudaMemcpy(to, source, ctypes.c_size_t(end - start), kind))
            if error:
                return error
        # The copy of pageable memory may still be on its way, and other streams do not wait for it.
        return int(runtime.cudaDeviceSynchronize()) if ranges else 0
