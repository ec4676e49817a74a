"""FNV-1a of 32-bit numbers, applied R times."""

import numpy as np

BASIS, PRIME, MASK = 2166136261, 16777619, 0xFFFFFFFF


def _hashed(numbers, basis=BASIS, order=(0, 1, 2, 3), multiply_first=False):
    """The hash of each number's four bytes, in that order."""
    found = np.full(numbers.shape, basis, dtype=np.uint64)
    for byte in order:
        part = (numbers >> np.uint64(8 * byte)) & np.uint64(0xFF)
        if multiply_first:
            found = (found * np.uint64(PRIME) & np.uint64(MASK)) ^ part
        else:
            found = (found ^ part) * np.uint64(PRIME) & np.uint64(MASK)
    return found


def _rounds(arrays, rounds, **how):
    numbers = arrays["input"].astype(np.uint64) & np.uint64(MASK)
    for _ in range(rounds):
        numbers = _hashed(numbers, **how)
    return {"output": numbers}


def reference(arrays, sizes, scalars):
    return _rounds(arrays, sizes["R"])


def wrong(arrays, sizes, scalars):
    return {
        "the hash after one round too few": _rounds(arrays, sizes["R"] - 1),
        "the hash with the highest byte first": _rounds(arrays, sizes["R"], order=(3, 2, 1, 0)),
        "FNV-1, which multiplies before it mixes": _rounds(arrays, sizes["R"], multiply_first=True),
    }
