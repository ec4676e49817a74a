"""The largest element of each window; windows may reach into a border that holds no numbers."""

from __future__ import annotations

import numpy as np


def reference(arrays, sizes, scalars):
    return {"output": pooled(arrays["input"], sizes, np.maximum, -np.inf)}


def wrong(arrays, sizes, scalars):
    image, window = arrays["input"], sizes["kernel_size"]
    reach = {**sizes, "padding": 0}
    border = np.pad(image, [(0, 0), (0, 0), *[(0, 2 * sizes["padding"])] * 2], mode="edge")
    answers = {
        "the result with padding that counts as 0": pooled(image, sizes, np.maximum, 0.0),
        "the result with negative elements taken as 0": np.maximum(
            pooled(image, sizes, np.maximum, -np.inf), 0
        ),
        "the least element of each window": pooled(image, sizes, np.minimum, np.inf),
        "the mean of each window": pooled(image, sizes, np.add, 0.0) / window**2,
        "the result of windows that begin inside, without padding": pooled(
            border, reach, np.maximum, -np.inf
        ),
    }
    return {words: {"output": answer} for words, answer in answers.items()}


def pooled(image, sizes, combine, outside):
    """What `combine` makes of each window; (N, C, H, W) -> (N, C, H_out, W_out)."""
    border, step = sizes["padding"], sizes["stride"]
    rows, cols = sizes["H_out"], sizes["W_out"]
    framed = np.pad(image, [(0, 0), (0, 0), *[(border, border)] * 2], constant_values=outside)
    result = np.full((*image.shape[:2], rows, cols), outside)
    for i in range(sizes["kernel_size"]):
        for j in range(sizes["kernel_size"]):
            below = slice(i, i + step * (rows - 1) + 1, step)
            right = slice(j, j + step * (cols - 1) + 1, step)
            combine(result, framed[:, :, below, right], out=result)
    return result
