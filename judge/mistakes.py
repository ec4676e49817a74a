"""Mistakes as altered inputs: what `solve` would have been given, had it been right.

In comes the data of a call, out come altered copies with the words for each: beta taken as 0, the
last terms of K left out, A read as its transpose, inputs cut to bfloat16.  Derived from the shapes
and scalars of the spec, so that they fit any problem.  Pure; evaluates nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from judge import conditions
from judge.axes import completed
from judge.counted import counted
from judge.elements import decode, encode, rounded
from judge.model import Argument, Array, CallData, Dtype, Role, Spec


@dataclass(frozen=True)
class Mistake:
    """Altered inputs and the words that follow `equals the result with `.

    precision: the formula is right, the inputs have fewer bits
    other:     the same with other numbers where it is not known what was read (beyond an array):
               only answers that both agree on are known
    """

    words: str
    data: CallData
    precision: bool = False
    other: CallData | None = None


def mistakes(spec: Spec, data: CallData, output: Argument) -> Iterator[Mistake]:
    """All mistakes that fit the spec, the commonest first."""
    yield from cut_inputs(spec, data)
    yield from left_out(spec, data, output)
    yield from _scalars(spec, data)
    yield from _layouts(spec, data)
    yield from _swapped(spec, data)


def left_out(spec: Spec, data: CallData, output: Argument) -> Iterator[Mistake]:
    """Terms left out of the sums of this output."""
    for axis in term_axes(spec, output):
        yield from _terms(spec, data, axis)


def term_axes(spec: Spec, output: Argument) -> tuple[str, ...]:
    """Axes that are summed (or otherwise reduced) over: in some input's shape, not in the output's.

    An axis inside a larger expression (`H - R + 1`) or one that others are computed from does not
    count: cutting it is no clean mistake.
    """
    shapes = {dimension for argument in spec.arrays for dimension in argument.shape}
    compound = [dimension for dimension in shapes if not dimension.isidentifier()]
    kept = {name for text in (*compound, *output.shape) for name in conditions.names(text)}
    return tuple(name for name in free_axes(spec) if name in shapes and name not in kept)


def free_axes(spec: Spec) -> tuple[str, ...]:
    """Axes that are drawn and that no other is computed from: one can be cut and nothing else."""
    used = {name for axis in spec.axes if axis.equals for name in conditions.names(axis.equals)}
    return tuple(axis.name for axis in spec.drawn_axes if axis.name not in used)


def take(spec: Spec, data: CallData, axis: str, indices: Array | slice, size: int) -> CallData:
    """The call with only some indices of a size axis, in every array that has it."""
    arrays = dict(data.arrays)
    for argument in spec.arrays:
        for dimension, name in enumerate(argument.shape):
            if name == axis and argument.name in arrays:
                key = (slice(None),) * dimension + (indices,)
                arrays[argument.name] = arrays[argument.name][key]
    sizes = completed(spec.axes, {**data.case.sizes, axis: size})
    case = replace(data.case, sizes=sizes)
    return replace(data, case=case, arrays=arrays)


def cut_inputs(spec: Spec, data: CallData) -> Iterator[Mistake]:
    """Inputs with fewer bits of significand than they came with."""
    inputs = [a for a in spec.arrays if a.dtype.is_float and a.name in data.arrays]
    only_read = [a for a in inputs if a.role is Role.IN] or inputs
    names = _listed([argument.name for argument in only_read])
    for words, cut, worth in (
        (f"{names} cut to bfloat16", _nearest_bfloat16, (Dtype.FLOAT16, Dtype.FLOAT32)),
        (f"{names} truncated to bfloat16", _truncated, (Dtype.FLOAT16, Dtype.FLOAT32)),
        (f"{names} cut to float16", _nearest_float16, (Dtype.FLOAT32,)),
    ):
        arrays = dict(data.arrays)
        for argument in only_read:
            if argument.dtype in worth:
                numbers = cut(decode(data.arrays[argument.name], argument.dtype))
                arrays[argument.name] = encode(numbers, argument.dtype)
        if any(argument.dtype in worth for argument in only_read):
            yield Mistake(words, replace(data, arrays=arrays), precision=True)


def _nearest_bfloat16(numbers: Array) -> Array:
    return rounded(numbers, Dtype.BFLOAT16)


def _nearest_float16(numbers: Array) -> Array:
    return rounded(numbers, Dtype.FLOAT16)


def _truncated(numbers: Array) -> Array:
    upper_half: Array = numbers.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    return upper_half.view(np.float32)


def _scalars(spec: Spec, data: CallData) -> Iterator[Mistake]:
    """Each scalar forgotten (0 or 1), two at once, two exchanged, one converted to an integer."""
    own = dict(data.case.scalars)
    names = list(own)
    altered: list[dict[str, float]] = []
    for count in (1, 2):
        for chosen in itertools.combinations(names, count):
            for values in itertools.product((0.0, 1.0), repeat=count):
                altered.append(dict(zip(chosen, values, strict=True)))
    altered += [{a: own[b], b: own[a]} for a, b in itertools.combinations(names, 2)]
    altered += [{name: float(int(own[name]))} for name in names if np.isfinite(own[name])]
    seen = [own]
    for change in altered:
        scalars = {**own, **change}
        if scalars in seen or any(value == own[name] for name, value in change.items()):
            continue
        seen.append(scalars)
        words = _listed([f"{name} taken as {value:g}" for name, value in change.items()])
        yield Mistake(words, replace(data, case=replace(data.case, scalars=scalars)))


def _terms(spec: Spec, data: CallData, axis: str) -> Iterator[Mistake]:
    """Terms of a sum left out at its end or its beginning, or all but one tile of them."""
    n = data.case.sizes[axis]
    terms = counted(n, "term")
    kept: dict[tuple[int, int], str] = {}
    tails: dict[int, list[int]] = {}
    for tile in spec.tiles:
        if n % tile:
            tails.setdefault(n % tile, []).append(tile)
    for rest, tiles in sorted(tails.items()):
        which = f"the tail of {axis} for tiles of {', '.join(map(str, tiles))}"
        few = f"the last of {terms}" if rest == 1 else f"the last {rest} of {terms}"
        count = few if rest < n else "all terms"
        kept[0, n - rest] = f"{count} of {axis} left out ({which})"
    kept.setdefault((0, n - 1), f"the last of {terms} of {axis} left out")
    kept.setdefault((1, n), f"the first of {terms} of {axis} left out")
    for tile in spec.tiles:
        if tile < n:
            kept.setdefault((0, tile), f"only the first {tile} of {terms} of {axis}")
            last = (n - 1) // tile * tile
            words = f"only the last {n - last} of {terms} of {axis} (the sum restarts each {tile})"
            kept.setdefault((last, n), words)
    for (first, end), words in kept.items():
        yield Mistake(words, take(spec, data, axis, slice(first, end), end - first))


def _layouts(spec: Spec, data: CallData) -> Iterator[Mistake]:
    """A matrix read as its transpose, or with another size as the distance between its rows."""
    for argument in spec.arrays:
        array = data.arrays.get(argument.name)
        if array is None or array.ndim != 2 or min(array.shape) < 2:
            continue
        rows, columns = array.shape
        transposed = array.reshape(columns, rows).T
        yield _with(data, f"{argument.name} read as its transpose", {argument.name: transposed})
        for axis, size in data.case.sizes.items():
            if size in (columns, 1):
                continue
            flat = np.arange(rows)[:, None] * size + np.arange(columns)
            read = array.reshape(-1)[np.minimum(flat, array.size - 1)]
            other = np.where(flat < array.size, read, array.reshape(-1)[0])
            words = f"{argument.name} read with rows {axis} = {size} apart, not {columns}"
            mistake = _with(data, words, {argument.name: read})
            yield replace(mistake, other=_with(data, "", {argument.name: other}).data)


def _swapped(spec: Spec, data: CallData) -> Iterator[Mistake]:
    """Two inputs of one shape and type exchanged, or one taken as zeros."""
    inputs = [argument for argument in spec.arrays if argument.name in data.arrays]
    for a, b in itertools.combinations(inputs, 2):
        x, y = data.arrays[a.name], data.arrays[b.name]
        if a.dtype is b.dtype and x.size == y.size:
            exchanged = {a.name: y.reshape(x.shape), b.name: x.reshape(y.shape)}
            yield _with(data, f"{a.name} and {b.name} exchanged", exchanged)
    for argument in inputs:
        zeros = np.zeros_like(data.arrays[argument.name])
        yield _with(data, f"{argument.name} taken as zeros", {argument.name: zeros})


def _with(data: CallData, words: str, arrays: dict[str, Array]) -> Mistake:
    return Mistake(words, replace(data, arrays={**data.arrays, **arrays}))


def _listed(words: list[str]) -> str:
    return " and ".join(words)
