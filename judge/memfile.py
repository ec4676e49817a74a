"""A file in memory that the judge shares with one worker, whose size no worker can change."""

from __future__ import annotations

import fcntl
import mmap
import os

import numpy as np

from judge.counted import counted
from judge.model import Array, JudgeError

_ADD_SEALS = 1033
_SEALS = 0x1 | 0x2 | 0x4  # no further seals, no shrinking, no growing


class MemoryFile:
    """`size_bytes` bytes, of which only what is touched takes memory.

    fd:    its descriptor, for a worker to inherit
    bytes: all of it, as the judge maps it.  A worker may write there at any time
    """

    def __init__(self, size_bytes: int) -> None:
        """Raises JudgeError where the system has no memory files."""
        try:
            self.fd = os.memfd_create("arena", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            os.ftruncate(self.fd, size_bytes)
            # Shrunk under the judge's feet, it would kill the judge by SIGBUS.
            fcntl.fcntl(self.fd, _ADD_SEALS, _SEALS)
            self._map = mmap.mmap(self.fd, size_bytes)
        except OSError as error:
            raise JudgeError(
                f"arena: {counted(size_bytes, 'byte')} of shared memory: {error}"
            ) from error
        self.bytes: Array = np.frombuffer(self._map, np.uint8)

    def taken_bytes(self) -> int:
        """Memory it takes now, whoever filled it."""
        return os.fstat(self.fd).st_blocks * 512

    def clear(self) -> None:
        """Give back every page, also those that a worker filled."""
        self._map.madvise(mmap.MADV_REMOVE)

    def close(self) -> None:
        """Give everything back; may be called twice."""
        if self.fd >= 0:
            del self.bytes
            self._map.close()
            os.close(self.fd)
            self.fd = -1
