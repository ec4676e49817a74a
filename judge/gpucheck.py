"""Compare on the device, by the judge's own kernels (judge/cuda/kernels.cu): only counts come back.

All addresses are of the device.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from judge.gpudevice import Device
from judge.model import Dtype

_BLOCK, _MOST_GRID = 256, 4096
_WORST = np.dtype([("wrong", np.uint64), ("index", np.uint64), ("usage", np.uint64)])
_FRESH = np.array([(0, np.iinfo(np.uint64).max, 0)], _WORST)


class DeviceChecker:
    """The kernels, loaded, and a place for what they count."""

    def __init__(self, device: Device, kernels: bytes) -> None:
        """kernels: compiled for this device.  Raises JudgeError if there is no memory left."""
        self._device = device
        self._kernels = device.module(kernels)
        self._report = device.allocate(_WORST.itemsize)

    def wrong(
        self, dtype: Dtype, got: int, expected: int, allowed: int, count: int
    ) -> tuple[int, int]:
        """How many of `count` elements are wrong, and the index of the first of them.

        expected, allowed: arrays of float64
        """
        self._device.upload(int(self._report), _FRESH)
        self._launch(f"check_{dtype.value}", count, *map(np.uint64, (got, expected, allowed)))
        found = self._device.download(int(self._report), _WORST.itemsize).view(_WORST)[0]
        return int(found["wrong"]), int(found["index"])

    def bytes_other_than(self, value: int, address: int, count: int) -> int:
        """How many of `count` bytes are not `value`: a guard band that was written."""
        return self._count("count_not", count, np.uint64(address), np.uint32(value))

    def bytes_different(self, one: int, other: int, count: int) -> int:
        """In how many of `count` bytes two pieces of memory differ: an input that was modified."""
        return self._count("count_different", count, np.uint64(one), np.uint64(other))

    def close(self) -> None:
        """Free the memory."""
        self._report.free()

    def _count(self, kernel: str, count: int, *arguments: Any) -> int:
        self._device.upload(int(self._report), np.zeros(1, np.uint64))
        self._launch(kernel, count, *arguments)
        return int(self._device.download(int(self._report), 8).view(np.uint64)[0])

    def _launch(self, kernel: str, count: int, *arguments: Any) -> None:
        """Of `count` elements: the kernels stride, so that any grid covers them."""
        grid = max(1, min(_MOST_GRID, -(-count // _BLOCK)))
        function = self._kernels.get_function(kernel)
        report = np.uint64(int(self._report))
        function(*arguments, np.uint64(count), report, block=(_BLOCK, 1, 1), grid=(grid, 1))
        self._device.synchronise()
