"""A GPU made of host memory, for tests of the judge's half that need no GPU and no pycuda."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from judge.gpudevice import Device
from judge.model import Array, Dtype, JudgeError

BASE = 0x7F00_0000_0000
"""Of the device's addresses: none is one of the host."""
ATTRIBUTES = {
    "l2_cache_size": 4096,
    "multiprocessor_count": 132,
    "clock_rate": 1_980_000,
    "memory_clock_rate": 3_201_000,
    "global_memory_bus_width": 6144,
    "compute_capability_major": 9,
    "max_threads_per_block": 1024,
    "max_block_dim_x": 1024,
    "max_block_dim_y": 1024,
    "max_block_dim_z": 64,
    "max_grid_dim_x": 2**31 - 1,
    "max_grid_dim_y": 65535,
    "max_grid_dim_z": 65535,
    "max_shared_memory_per_block": 49152,
    "max_shared_memory_per_block_optin": 232448,
    "max_registers_per_block": 65536,
    "max_threads_per_multiprocessor": 2048,
    "max_blocks_per_multiprocessor": 32,
    "max_registers_per_multiprocessor": 65536,
    "max_shared_memory_per_multiprocessor": 233472,
}


class FakeDriver:
    """The one name of pycuda.driver that is used beside the device."""

    class Error(Exception):
        """As pycuda's."""


class Allocation:
    """A piece of the memory; int() is its address."""

    def __init__(self, device: FakeDevice, address: int) -> None:
        self._device, self._address = device, address
        device.alive += 1

    def __int__(self) -> int:
        return self._address

    def free(self) -> None:
        """Give it back, once."""
        assert self._address, "freed twice"
        self._device.give_back()
        self._address = 0


class FakeDevice:
    """judge.gpudevice.Device by its methods; `memory` is all there is."""

    driver = FakeDriver
    can_share = True
    name = "fake"
    capability = (9, 0)

    def __init__(self, size_bytes: int = 4 << 20) -> None:
        self.memory: Array = np.zeros(size_bytes, np.uint8)
        self.alive = 0
        self.before_download: Callable[[], None] = lambda: None
        self.unshared = ""
        self._used = 0

    def as_device(self) -> Device:
        """Itself, for the type checker."""
        return cast(Device, self)

    def attributes(self) -> dict[str, int]:
        """Those of a small Hopper."""
        return dict(ATTRIBUTES)

    def allocate(self, size_bytes: int) -> Allocation:
        """Memory at a fresh address, with 256 bytes of nobody behind it."""
        start = self._used
        if start + size_bytes > len(self.memory):
            raise JudgeError(f"the GPU has no {size_bytes} bytes left for the judge")
        self._used = start + -(-size_bytes // 256) * 256 + 256
        return Allocation(self, BASE + start)

    def give_back(self) -> None:
        """One allocation fewer; after the last, all memory is free."""
        self.alive -= 1
        self._used = self._used if self.alive else 0

    def share(self, allocation: Allocation) -> bytes:
        """A handle."""
        if not self.can_share:
            raise self.driver.Error("cuIpcGetMemHandle failed: operation not supported")
        return int(allocation).to_bytes(8, "little")

    def bytes_at(self, address: int, size_bytes: int) -> Array:
        """A view of the memory."""
        start = int(address) - BASE
        assert start >= 0
        assert start + size_bytes <= len(self.memory)
        return self.memory[start : start + size_bytes]

    def fill(self, address: int, byte: int, size_bytes: int) -> None:
        """As cuMemsetD8."""
        self.bytes_at(address, size_bytes)[:] = byte

    def upload(self, address: int, data: Array) -> None:
        """As cuMemcpyHtoD."""
        flat = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
        self.bytes_at(address, flat.size)[:] = flat

    def download(self, address: int, size_bytes: int) -> Array:
        """As cuMemcpyDtoH."""
        self.before_download()
        return self.bytes_at(address, size_bytes).copy()

    def copy(self, to: int, source: int, size_bytes: int) -> None:
        """As cuMemcpyDtoD."""
        self.bytes_at(to, size_bytes)[:] = self.bytes_at(source, size_bytes)

    def module(self, cubin: bytes) -> FakeKernels:
        """The judge's kernels, in NumPy."""
        return FakeKernels(self)

    def synchronise(self) -> None:
        """Nothing is ever left to be done."""


class FakeKernels:
    """judge/cuda/kernels.cu in NumPy."""

    def __init__(self, device: FakeDevice) -> None:
        self._device = device

    def get_function(self, name: str) -> Callable[..., None]:
        """A kernel by its name."""
        if name.startswith("check_"):
            dtype = Dtype(name.removeprefix("check_")).storage
            return lambda *given, **_: self._check(dtype, *given)
        counts: Mapping[str, Callable[..., None]] = {
            "count_not": self._count_not,
            "count_different": self._count_different,
        }
        return lambda *given, **_: counts[name](*given)

    def _array(self, address: Any, count: Any, dtype: Any) -> Array:
        size = int(count) * np.dtype(dtype).itemsize
        return self._device.bytes_at(int(address), size).view(dtype)

    def _check(self, dtype: Any, got: Any, want: Any, allowed: Any, n: Any, report: Any) -> None:
        values = self._array(got, n, dtype).astype(np.float64)
        wanted, limit = (self._array(one, n, np.float64) for one in (want, allowed))
        with np.errstate(invalid="ignore"):
            wrong = ~(np.abs(values - wanted) <= limit)
        if wrong.any():
            first = int(wrong.argmax())
            self._array(report, 2, np.uint64)[:] = int(wrong.sum()), first

    def _count_not(self, address: Any, value: Any, n: Any, report: Any) -> None:
        found = self._array(address, n, np.uint8) != int(value)
        self._array(report, 1, np.uint64)[0] += int(found.sum())

    def _count_different(self, one: Any, other: Any, n: Any, report: Any) -> None:
        found = self._array(one, n, np.uint8) != self._array(other, n, np.uint8)
        self._array(report, 1, np.uint64)[0] += int(found.sum())
