"""What `judge_entry` takes, as ctypes values: numbers by their C type, then a pointer to each.

Standard library only: the processes that load a submission run this.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

_TYPES: Mapping[str, Any] = {
    "int8": ctypes.c_int8,
    "uint8": ctypes.c_uint8,
    "int16": ctypes.c_int16,
    "uint16": ctypes.c_uint16,  # and the bits of 16-bit floats
    "int32": ctypes.c_int32,
    "uint32": ctypes.c_uint32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}


def number(told: Mapping[str, Any]) -> Any:
    """The value of `{"ctype": "int32", "value": 61}` (judge/arguments.py writes it)."""
    return _TYPES[told["ctype"]](told["value"])


def pointers(values: Sequence[Any]) -> Any:
    """`void* const*` to these values, which must outlive the call.  Never of length 0."""
    return (ctypes.c_void_p * max(1, len(values)))(*map(ctypes.addressof, values))
