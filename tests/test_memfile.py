"""judge/memfile.py: a file in memory whose size the worker that shares it cannot change."""

from __future__ import annotations

import fcntl
import mmap
import os
from collections.abc import Iterator

import pytest

from judge.memfile import MemoryFile
from judge.model import JudgeError


@pytest.fixture
def file() -> Iterator[MemoryFile]:
    """Four mebibytes."""
    made = MemoryFile(4 << 20)
    yield made
    made.close()


def test_what_one_side_writes_the_other_sees(file: MemoryFile) -> None:
    """A worker maps the descriptor it inherits; only pages that are touched take memory."""
    there = mmap.mmap(file.fd, 4 << 20)

    file.bytes[5000] = 7
    there[1 << 20] = 9

    assert (there[5000], file.bytes[1 << 20]) == (7, 9)
    assert file.taken_bytes() == 2 * mmap.PAGESIZE
    file.clear()
    assert (file.taken_bytes(), there[5000]) == (0, 0)


def test_worker_cannot_resize_it(file: MemoryFile) -> None:
    """Shrinking the file would crash the judge, so the kernel refuses, and refuses to unseal it."""
    with pytest.raises(PermissionError):
        os.ftruncate(file.fd, 0)
    with pytest.raises(PermissionError):
        os.ftruncate(file.fd, 8 << 20)
    with pytest.raises(PermissionError):
        fcntl.fcntl(file.fd, 1033, 0x8)  # F_ADD_SEALS, F_SEAL_WRITE


def test_memory_that_is_not_to_be_had_is_the_judge_s_error() -> None:
    """With the system's word, not a traceback."""
    with pytest.raises(JudgeError, match=r"arena: \d+ bytes of shared memory: "):
        MemoryFile(1 << 62)


def test_close_gives_the_memory_back() -> None:
    """No descriptor and no mapping stay; closing again does nothing."""
    before = len(os.listdir("/proc/self/fd"))
    one = MemoryFile(mmap.PAGESIZE)
    one.close()
    one.close()

    assert len(os.listdir("/proc/self/fd")) == before
