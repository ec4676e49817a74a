"""Softmax attention, head by head: head i has columns i * head_dim to (i + 1) * head_dim - 1."""

from __future__ import annotations

import numpy as np


def reference(arrays, sizes, scalars):
    q, k, v = (side_by_side(arrays[name], sizes["h"]) for name in "QKV")
    return {"output": joined(attended(q, k, v))}


def wrong(arrays, sizes, scalars):
    heads, width = sizes["h"], sizes["head_dim"]
    q, k, v = (side_by_side(arrays[name], heads) for name in "QKV")
    in_turn = [interleaved(arrays[name], heads) for name in "QKV"]
    one = [arrays[name][np.newaxis] for name in "QKV"]
    rows = [np.ascontiguousarray(arrays[name]).reshape(heads, -1, width) for name in "QKV"]
    right = attended(q, k, v)
    answers = {
        "the result without dividing by the root": joined(attended(q, k, v, 1.0)),
        "the result divided by the root of d_model": joined(
            attended(q, k, v, np.sqrt(sizes["d_model"]))
        ),
        "the result with a softmax over the queries": joined(attended(q, k, v, axis=-2)),
        "the result of a single head of d_model columns": joined(attended(*one)),
        "the result with the columns dealt out to the heads in turn": joined_in_turn(
            attended(*in_turn)
        ),
        "the result with each head of whole rows, as if arrays were h x N x head_dim": attended(
            *rows
        ).reshape(-1, heads * width),
        "the right heads, stored one after the other as h x N x head_dim": right.reshape(
            -1, heads * width
        ),
        "the result with inputs and sums in float16": joined(
            attended(*(np.float16(x) for x in (q, k, v)))
        ),
    }
    return {words: {"output": answer} for words, answer in answers.items()}


def attended(q, k, v, divisor=None, axis=-1):
    """Attention of each head in the type of its inputs; all of shape (h, N, head_dim)."""
    divisor = np.sqrt(q.shape[-1]) if divisor is None else divisor
    scores = (q @ np.swapaxes(k, -1, -2) / q.dtype.type(divisor)).astype(q.dtype)
    weights = np.exp(scores - scores.max(axis, keepdims=True))
    return (weights / weights.sum(axis, keepdims=True) @ v).astype(np.float64)


def side_by_side(x, heads):
    """Shape (N, d_model) -> (h, N, head_dim)."""
    return np.swapaxes(x.reshape(len(x), heads, -1), 0, 1)


def joined(x):
    """The inverse of side_by_side."""
    return np.swapaxes(x, 0, 1).reshape(x.shape[1], -1)


def interleaved(x, heads):
    """Head i has the columns i, i + h, i + 2 * h and so on; shape (h, N, head_dim)."""
    return np.moveaxis(x.reshape(len(x), -1, heads), -1, 0)


def joined_in_turn(x):
    """The inverse of interleaved."""
    return np.moveaxis(x, 0, -1).reshape(x.shape[1], -1)
