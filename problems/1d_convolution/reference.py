"""output[i] = sum of input[i + j] * kernel[j] over j, where the kernel lies inside the input."""

from __future__ import annotations

import numpy as np


def reference(arrays, sizes, scalars):
    return {"output": correlated(arrays["input"], arrays["kernel"])}


def magnitude(arrays, sizes, scalars):
    return {"output": correlated(np.abs(arrays["input"]), np.abs(arrays["kernel"]))}


def wrong(arrays, sizes, scalars):
    signal, kernel = arrays["input"], arrays["kernel"]
    before = sizes["kernel_size"] // 2
    padded = np.pad(signal, (before, sizes["kernel_size"] - 1 - before))
    centred = correlated(padded, kernel)[: sizes["output_size"]]
    return {
        "the result with the kernel flipped": {"output": correlated(signal, kernel[::-1])},
        "the result with the kernel centred on each element and zeros around the input": {
            "output": centred
        },
        "the result without the last element of the kernel": {
            "output": correlated(signal[:-1], kernel[:-1]) if kernel.size > 1 else 0 * signal
        },
        "the result with sums kept in float16": {"output": summed_in_half(signal, kernel)},
    }


def correlated(signal, kernel):
    """Shape (len(signal) - len(kernel) + 1,)."""
    return np.correlate(signal, kernel, "valid")


def summed_in_half(signal, kernel):
    """The same, rounded to float16 after each term."""
    count = signal.size - kernel.size + 1
    total = np.zeros(count, dtype=np.float16)
    for j, weight in enumerate(kernel):
        total = (total + signal[j : j + count] * weight).astype(np.float16)
    return total.astype(np.float64)
