"""Memory for the arrays of GPU calls, reached by judge and worker, in one of two ways.

    IpcMemory      device memory of the judge's own, which the worker maps by a CUDA IPC handle
    SharedMemory   device memory of the worker's own, and beside it a file in host memory that both
                   map: before the worker does what a message asks, it copies to its device what the
                   judge wrote (`put`), and after it back to the file what the judge will look at
                   (`fetch`)

The second serves where CUDA IPC does not work (WSL2, some containers).  All offsets are in bytes
from the start of the memory; the judge looks at nothing but its own copy of what lies there.

What the second is worth: nothing but a call's own arrays is ever in the file, as nothing else is in
the first, and every byte of an output is held against the same right answer.  That an output, a
guard band or an input lies on the device as it is found in the file is the word of the worker's
process; whoever bends that can only hide a mistake of their own beside right outputs, which a
kernel that mends guard bands and inputs before it returns can do in the first as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from judge.gpudevice import Device
from judge.memfile import MemoryFile
from judge.model import Array, JudgeError

Ranges = Iterable[tuple[int, int]]
"""Pieces of the memory: start and end."""
BYTES_PER_S = 1e9
"""What copies between host and device reach at least; a slow PCIe link takes three times that."""


class NotShared(JudgeError):
    """This system shares no device memory between processes."""


class IpcMemory:
    """The judge's device memory, for the worker to map."""

    def __init__(self, device: Device, capacity: int) -> None:
        """Raises NotShared without CUDA IPC, JudgeError if the device has no room."""
        self.device, self.capacity = device, capacity
        self._memory = device.allocate(capacity)
        self.address = int(self._memory)
        try:
            self._handle = device.share(self._memory)
        except device.driver.Error as error:
            self._memory.free()
            raise NotShared(f"CUDA IPC is not available here ({error})") from error

    def setting(self) -> dict[str, Any]:
        """What the worker is told when it starts."""
        return {"arena": self._handle.hex()}

    def inherited(self) -> tuple[int, ...]:
        """Descriptors that the worker inherits."""
        return ()

    def host_bytes(self) -> int:
        """Host memory that the worker may map of it."""
        return 0

    def seconds(self, size_bytes: int) -> float:
        """What the copies of a message may add to the time it is given."""
        return 0.0

    def fill(self, offset: int, byte: int, size_bytes: int) -> None:
        """Set bytes."""
        self.device.fill(self.address + offset, byte, size_bytes)

    def upload(self, offset: int, data: Array) -> None:
        """Put an array's bytes there."""
        self.device.upload(self.address + offset, data)

    def restore(self, offset: int, data: Array, twin: int) -> None:
        """Put an array's bytes there that also lie on the judge's device, at the address `twin`."""
        self.device.copy(self.address + offset, twin, data.nbytes)

    def download(self, offset: int, size_bytes: int) -> Array:
        """The judge's own copy of some bytes."""
        return self.device.download(self.address + offset, size_bytes)

    def on_device(self, offset: int, size_bytes: int) -> int:
        """The address, on the judge's device, of bytes as they are now; good until the next one."""
        return self.address + offset

    def exchange(self, fetch: Ranges = ()) -> Mapping[str, Any]:
        """What a message must say beside what it asks, so that the worker meets what was written
        and the judge can look at `fetch` afterwards."""
        self.device.synchronise()
        return {}

    def close(self) -> None:
        """Free it; may be called twice."""
        if self.address:
            self._memory.free()
            self.address = 0


class SharedMemory:
    """A file in host memory, and what of it the worker has to copy."""

    def __init__(self, device: Device, capacity: int) -> None:
        """Raises JudgeError where the system has no memory files."""
        self.device, self.capacity = device, capacity
        self._file = MemoryFile(capacity)
        self._written: list[tuple[int, int]] = []
        self._scratch: Any = None
        self._scratch_bytes = 0

    def setting(self) -> dict[str, Any]:
        """What the worker is told when it starts."""
        return {"file": self._file.fd, "capacity": self.capacity}

    def inherited(self) -> tuple[int, ...]:
        """Descriptors that the worker inherits."""
        return (self._file.fd,)

    def host_bytes(self) -> int:
        """Host memory that the worker may map of it."""
        return self._file.taken_bytes()

    def seconds(self, size_bytes: int) -> float:
        """What the copies of a message may add to the time it is given: there and back."""
        return 2 * size_bytes / BYTES_PER_S

    def fill(self, offset: int, byte: int, size_bytes: int) -> None:
        """Set bytes."""
        self._file.bytes[offset : offset + size_bytes] = byte
        self._written.append((offset, offset + size_bytes))

    def upload(self, offset: int, data: Array) -> None:
        """Put an array's bytes there."""
        flat = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
        self._file.bytes[offset : offset + flat.size] = flat
        self._written.append((offset, offset + flat.size))

    def restore(self, offset: int, data: Array, twin: int) -> None:
        """Put an array's bytes there, wherever else they lie."""
        self.upload(offset, data)

    def download(self, offset: int, size_bytes: int) -> Array:
        """The judge's own copy of some bytes, as they were fetched."""
        content: Array = self._file.bytes[offset : offset + size_bytes].copy()
        return content

    def on_device(self, offset: int, size_bytes: int) -> int:
        """The address, on the judge's device, of bytes as they were fetched; good until the next
        one.  Raises JudgeError if the device has no room."""
        if size_bytes > self._scratch_bytes:
            self._free_scratch()
            self._scratch, self._scratch_bytes = self.device.allocate(size_bytes), size_bytes
        address = int(self._scratch or 0)
        self.device.upload(address, self._file.bytes[offset : offset + size_bytes])
        return address

    def exchange(self, fetch: Ranges = ()) -> Mapping[str, Any]:
        """What a message must say beside what it asks."""
        put, self._written = _merged(self._written), []
        return {"put": put, "fetch": [[start, end] for start, end in fetch]}

    def close(self) -> None:
        """Give everything back."""
        self._free_scratch()
        self._file.close()

    def _free_scratch(self) -> None:
        if self._scratch is not None:
            self._scratch.free()
            self._scratch, self._scratch_bytes = None, 0


def _merged(ranges: Ranges) -> list[list[int]]:
    """The same bytes in as few ranges as there can be."""
    merged: list[list[int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
