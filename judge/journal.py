"""A file of lines that many processes add to and none rewrites: the history, the ledgers.

Two judges may finish at the same moment, a disk may be full, a machine may lose power: lines are
written under a lock in one piece, and a torn last line is closed before the next one begins.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def append(path: Path, text: str) -> None:
    """Add whole lines of ASCII, each with its newline: all of them or none.  Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        end = os.fstat(descriptor).st_size
        torn = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"
        data = (b"\n" if torn else b"") + text.encode("ascii")
        if os.write(descriptor, data) != len(data):
            os.ftruncate(descriptor, end)
            raise OSError(0, "the disk is full")
    finally:
        os.close(descriptor)
