"""One GPU in its primary context, and a submission loaded into it.  Used by judge and worker alike.

Primary context only: a submission is built on the runtime API, which lives in the primary context,
and pointers of another context mean nothing to it.  pycuda comes in as an argument (judge/gpu.py).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from judge import cvalues
from judge.counted import counted
from judge.model import Array, JudgeError


@dataclass(frozen=True)
class Pycuda:
    """The parts of pycuda in use: its driver module, initialised, and the class SourceModule."""

    driver: Any
    source_module: Any


class Device:
    """One GPU in its primary context.  Leave it (`close`) before the interpreter ends: a context
    that is still current then crashes it.

    unshared: why its memory is not shared with other processes; empty as long as it may be
    """

    def __init__(self, pycuda: Pycuda, ordinal: int = 0) -> None:
        """Raises JudgeError if the driver makes no context."""
        self.driver = pycuda.driver
        try:
            self._device = self.driver.Device(ordinal)
            self._context = self._device.retain_primary_context()
            self._context.push()
        except self.driver.Error as error:
            raise JudgeError(f"GPU {ordinal}: no context: {error}") from error
        self.unshared = ""
        self.name: str = self._device.name()
        self.capability: tuple[int, int] = self._device.compute_capability()

    def close(self) -> None:
        """Take the context off; nothing of the device may be used afterwards."""
        self._context.pop()

    def attributes(self) -> dict[str, int]:
        """The device attributes by their CUDA names in lower case."""
        names = self._device.get_attributes()
        return {str(name).lower(): int(value) for name, value in names.items()}

    def allocate(self, size_bytes: int) -> Any:
        """Device memory, freed when the object goes.  Raises JudgeError if there is none left."""
        try:
            return self.driver.mem_alloc(size_bytes)
        except self.driver.Error as error:
            raise JudgeError(
                f"the GPU has no {counted(size_bytes, 'byte')} left for the judge: {error}"
            ) from error

    def share(self, allocation: Any) -> bytes:
        """An IPC handle by which another process maps an allocation."""
        return bytes(self.driver.mem_get_ipc_handle(allocation))

    def open_shared(self, handle: bytes) -> Any:
        """Map another process's allocation; int() of the result is its address here."""
        return self.driver.IPCMemoryHandle(bytearray(handle))

    def fill(self, address: int, byte: int, size_bytes: int) -> None:
        """Set device memory to a byte."""
        if size_bytes:
            self.driver.memset_d8(address, byte, size_bytes)

    def upload(self, address: int, data: Array) -> None:
        """Copy a host array to the device."""
        if data.nbytes:
            self.driver.memcpy_htod(address, np.ascontiguousarray(data))

    def download(self, address: int, size_bytes: int) -> Array:
        """Copy device memory to a new array of bytes."""
        data = np.empty(size_bytes, np.uint8)
        if size_bytes:
            self.driver.memcpy_dtoh(data, address)
        return data

    def copy(self, to: int, source: int, size_bytes: int) -> None:
        """Copy within the device."""
        if size_bytes:
            self.driver.memcpy_dtod(to, source, size_bytes)

    def module(self, cubin: bytes) -> Any:
        """Load compiled kernels of the judge's own: `get_function(name)`."""
        return self.driver.module_from_buffer(cubin)

    def synchronise(self) -> None:
        """Wait for all work of this process."""
        self._context.synchronize()


def submission_class(pycuda: Pycuda) -> Any:
    """The SourceModule subclass that holds both halves of a submission.

    A function, because the class cannot be made where pycuda is missing.
    """

    class Submission(pycuda.source_module):  # type: ignore[name-defined,misc]
        """A `.cu` file, loaded: `get_function(kernel)` of one half, `solve` of the other.

        source:  the file; compiled here, as SourceModule does with no_extern_c=True, only if no
                 `cubin` is given (the judge compiles in a box and keeps the result)
        library: the same source built by `nvcc -shared`, None for a file of kernels only
        """

        def __init__(
            self,
            source: Path,
            cubin: bytes | None = None,
            library: Path | None = None,
            options: list[str] | None = None,
            arch: str | None = None,
        ) -> None:
            if cubin is None:
                text = source.read_text()
                super().__init__(text, options=options, arch=arch, no_extern_c=True)
            else:
                self.module = pycuda.driver.module_from_buffer(cubin)
                self._bind_module()
            # RTLD_LOCAL and all symbols now: a missing one must show at load, not during a call.
            mode = os.RTLD_NOW | os.RTLD_LOCAL
            self.host = ctypes.CDLL(str(library), mode=mode) if library else None

        def solve(self, *arguments: Any) -> None:
            """Call the host half: addresses as ints, scalars as ctypes values; returns at once."""
            assert self.host is not None
            values = [
                a if isinstance(a, ctypes._SimpleCData) else ctypes.c_void_p(int(a))
                for a in arguments
            ]
            self.host.judge_entry(cvalues.pointers(values))

        def attributes(self, kernel: str) -> Mapping[str, int]:
            """What the driver says of one kernel: registers, bytes of each memory, most threads."""
            function = self.get_function(kernel)
            return {
                "registers": function.num_regs,
                "shared_bytes": function.shared_size_bytes,
                "local_bytes": function.local_size_bytes,
                "constant_bytes": function.const_size_bytes,
                "max_threads": function.max_threads_per_block,
            }

    return Submission
