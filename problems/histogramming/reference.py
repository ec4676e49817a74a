"""How often each number from 0 up occurs."""

import numpy as np


def _counted(numbers, bins):
    return {"histogram": np.bincount(numbers.ravel(), minlength=bins)[:bins].astype(np.int64)}


def reference(arrays, sizes, scalars):
    return _counted(arrays["input"], sizes["num_bins"])


def wrong(arrays, sizes, scalars):
    counts = _counted(arrays["input"], sizes["num_bins"])["histogram"]
    return {
        "1 wherever a number occurs": {"histogram": np.minimum(counts, 1)},
        "the counts summed up from the left": {"histogram": np.cumsum(counts)},
        "the input without its last element": _counted(arrays["input"][:-1], sizes["num_bins"]),
    }
