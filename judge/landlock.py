"""Landlock: a process gives up the files it does not need, for itself and all it starts, for good.

Standard library only: workers and the launcher of compilers run this.  From then on a file can be
opened only below what is named here; the memory, environment and descriptors of processes outside
are out of reach too, as is, in newer versions, their being signalled and the network.

Source: Linux Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

_libc = ctypes.CDLL(None, use_errno=True)
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 1 << 1, 1 << 2, 1 << 3
_MAKE = sum(1 << bit for bit in range(4, 13))  # remove and make files of any kind
_REFER, _TRUNCATE = 1 << 13, 1 << 14  # since version 2 and 3
_CONNECTIONS = 0b11  # TCP: bind and connect, since version 4
_SCOPES = 0b11  # abstract sockets and signals, since version 6
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE


def version() -> int:
    """The version of Landlock that the kernel offers, 0 for none."""
    return max(0, int(_libc.syscall(_CREATE, None, ctypes.c_size_t(0), 1)))


def restrict(reads: Iterable[str], writes: Iterable[str], devices: Iterable[str]) -> bool:
    """Open nothing from here on but what is named; what is not there is passed over.

    reads: files and folders, all below included;  writes: folders to work in;  devices: of /dev
    False where the kernel has no Landlock.  Raises OSError where it has and something fails.
    """
    offered = version()
    if offered < 1:
        return False
    handled = _EXECUTE | _WRITE_FILE | _READ_FILE | _READ_DIR | _MAKE
    handled |= (_REFER if offered >= 2 else 0) | (_TRUNCATE if offered >= 3 else 0)
    fields = [handled]
    fields += [_CONNECTIONS] if offered >= 4 else []
    fields += [_SCOPES] if offered >= 6 else []
    attributes = ctypes.create_string_buffer(struct.pack(f"={len(fields)}Q", *fields))
    size = ctypes.c_size_t(8 * len(fields))
    ruleset = _done(_libc.syscall(_CREATE, attributes, size, ctypes.c_uint(0)))
    try:
        for paths, rights in (
            (reads, _EXECUTE | _READ_FILE | _READ_DIR),
            (writes, handled),
            (devices, _READ_FILE | _WRITE_FILE | _TRUNCATE),
        ):
            for path in paths:
                _allow(ruleset, path, rights & handled)
        _done(_libc.syscall(_RESTRICT, ruleset, ctypes.c_uint(0)))
    finally:
        os.close(ruleset)
    return True


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(beneath).st_mode):
            rights &= _OF_A_FILE
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, beneath))
        _done(_libc.syscall(_ADD, ruleset, 1, rule, ctypes.c_uint(0)))
    finally:
        os.close(beneath)


def _done(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"landlock: {os.strerror(number)}")
    return int(result)
