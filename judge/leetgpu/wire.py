"""Messages between the judge and the process of a challenge: JSON, and arrays behind it.

    8 bytes: length of the head    head: JSON, `arrays` = [[name, dtype, shape], ...]    their bytes

An array travels in its storage dtype (bfloat16 as uint16) and by its own name of the dtype, which
may be one that the judge does not know: then only its description travels.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Named = Mapping[str, "tuple[str, Array]"]
"""Arrays by name, each with its dtype's name."""

_LENGTH_BYTES = 8
_STORED_AS = {"bfloat16": "uint16"}


def pack(head: Mapping[str, Any], arrays: Named) -> Iterator[memoryview]:
    """The message, in parts to be written one after another."""
    listed = [[name, dtype, list(array.shape)] for name, (dtype, array) in arrays.items()]
    text = json.dumps({**head, "arrays": listed}).encode()
    yield memoryview(len(text).to_bytes(_LENGTH_BYTES, "little") + text)
    for _, array in arrays.values():
        flat: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        yield memoryview(flat)


def unpack(read: Callable[[int], bytes | bytearray]) -> tuple[dict[str, Any], dict[str, Array]]:
    """The head and the arrays of the next message; read(n) gives exactly n bytes.

    Arrays can be written.
    """
    length = int.from_bytes(read(_LENGTH_BYTES), "little")
    head = json.loads(bytes(read(length)))
    arrays: dict[str, Array] = {}
    for name, dtype, shape in head.pop("arrays"):
        stored = np.dtype(_STORED_AS.get(dtype, dtype))
        content = bytearray(read(math.prod(shape) * stored.itemsize))
        arrays[name] = np.frombuffer(content, stored).reshape(shape)
    return head, arrays
