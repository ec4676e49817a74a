"""output[z, y, x] = sum of input[z + i, y + j, x + k] * kernel[i, j, k], inside the input only."""

from __future__ import annotations

import numpy as np


def reference(arrays, sizes, scalars):
    return {"output": correlated(arrays["input"], arrays["kernel"])}


def magnitude(arrays, sizes, scalars):
    return {"output": correlated(np.abs(arrays["input"]), np.abs(arrays["kernel"]))}


def wrong(arrays, sizes, scalars):
    volume, kernel = arrays["input"], arrays["kernel"]
    depth, rows, cols = (sizes[f"output_{name}"] for name in ("depth", "rows", "cols"))
    around = [(n // 2, n - 1 - n // 2) for n in kernel.shape]
    centred = correlated(np.pad(volume, around), kernel)
    reversed_axes = kernel.reshape(kernel.shape[::-1]).T
    answers = {
        "the result with the kernel flipped": correlated(volume, kernel[::-1, ::-1, ::-1]),
        "the result with the kernel centred on each element and zeros around the input": centred[
            :depth, :rows, :cols
        ],
        "the result with the dimensions of kernel in reverse order": correlated(
            volume, reversed_axes
        ),
        "the result with only the first layer of the kernel": correlated(
            volume[:depth], kernel[:1]
        ),
        "the result with sums kept in float16": correlated(volume, kernel, np.float16),
    }
    return {words: {"output": answer} for words, answer in answers.items()}


def correlated(volume, kernel, kept=np.float64):
    """Sums rounded to `kept` after each term, layer by layer, which stays in the cache."""
    depth, rows, cols = (n - k + 1 for n, k in zip(volume.shape, kernel.shape, strict=True))
    total = np.zeros((depth, rows, cols), dtype=kept)
    for z, layer in enumerate(total):
        for (i, j, k), weight in np.ndenumerate(kernel):
            layer[:] = layer + weight * volume[z + i, j : j + rows, k : k + cols]
    return total.astype(np.float64)
