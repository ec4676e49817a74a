"""output[r, c] = sum of input[r + i, c + j] * kernel[i, j]; the kernel lies inside the input."""

from __future__ import annotations

import numpy as np

DOUBLE = np.dtype("float64")
CACHED = 1 << 15  # elements that are summed up at a time


def reference(arrays, sizes, scalars):
    return {"output": correlated(arrays["input"], arrays["kernel"])}


def magnitude(arrays, sizes, scalars):
    return {"output": correlated(np.abs(arrays["input"]), np.abs(arrays["kernel"]))}


def wrong(arrays, sizes, scalars):
    image, kernel = arrays["input"], arrays["kernel"]
    around = [(n // 2, n - 1 - n // 2) for n in kernel.shape]
    centred = correlated(np.pad(image, around), kernel)
    transposed = kernel.reshape(kernel.shape[::-1]).T
    rows, cols = sizes["output_rows"], sizes["output_cols"]
    return {
        "the result with the kernel flipped": {"output": correlated(image, kernel[::-1, ::-1])},
        "the result with the kernel centred on each element and zeros around the input": {
            "output": centred[:rows, :cols]
        },
        "the result with kernel read column by column": {"output": correlated(image, transposed)},
        "the result with only the first row of the kernel": {
            "output": correlated(image[:rows], kernel[:1])
        },
        "the result with sums kept in float16": {
            "output": correlated(image, kernel, np.dtype("float16"))
        },
    }


def correlated(image, kernel, kept=DOUBLE):
    """Sums rounded to `kept` after each term; as many rows and columns as places for the kernel."""
    rows, cols = (n - k + 1 for n, k in zip(image.shape, kernel.shape, strict=True))
    total = np.zeros((rows, cols), dtype=kept)
    step = max(1, CACHED // cols)
    for first in range(0, rows, step):
        part = total[first : first + step]
        for (i, j), weight in np.ndenumerate(kernel):
            part[:] = part + weight * image[first + i : first + i + len(part), j : j + cols]
    return total.astype(np.float64)
