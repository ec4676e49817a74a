"""Right values in wrong places: outputs transposed, shifted by a tile, copied from an input.

In comes a Comparison with wrong elements, out come phrases.  Looks at a thousand wrong elements
at most; each guess is a map from the place of an element to the place its value belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from judge.compare import Comparison, bits, judge_elements
from judge.elements import decode
from judge.model import Array, CallData, Expected, Spec

# Wrong elements looked at.
ENOUGH = 1024
NEARLY_ALL = 0.95
# Fewer than this many wrong elements may agree with a guess by chance.
FEW = 4


def misplaced(
    spec: Spec, data: CallData, found: Comparison, before: Expected | None
) -> Iterator[str]:
    """Sentences that explain nearly all wrong elements, the most telling first."""
    flat = _some_wrong(found)
    got = decode(found.got.reshape(-1)[flat], found.argument.dtype)
    value, allowed = found.expected.value.reshape(-1), found.expected.allowed.reshape(-1)

    def gives(answer: Array, slack: Array) -> bool:
        return bool(judge_elements(got, answer, slack)[1].mean() >= NEARLY_ALL)

    if flat.size >= FEW:
        yield from _copies(spec, data, found, flat)
        for words, place in _maps(found.got.shape, flat, spec, data):
            known = place >= 0
            if np.count_nonzero(known) < NEARLY_ALL * flat.size:
                continue
            at = place[known]
            if judge_elements(got[known], value[at], allowed[at])[1].mean() >= NEARLY_ALL:
                yield f"the wrong elements equal {words}"
    truth, slack = value[flat], allowed[flat]
    if before is not None and before.value.size == value.size:
        total, both = (
            truth + before.value.reshape(-1)[flat],
            slack + before.allowed.reshape(-1)[flat],
        )
        if gives(total, both):
            yield "the wrong elements hold the previous call's answer too: a sum is not reset"


def multiples(found: Comparison) -> Iterator[str]:
    """The simplest relations of nearly all wrong elements to the right ones, where nothing else is
    known of them: an alpha of 0.5 that is left out looks like that too."""
    flat = _some_wrong(found)
    got = decode(found.got.reshape(-1)[flat], found.argument.dtype)
    truth = found.expected.value.reshape(-1)[flat]
    slack = found.expected.allowed.reshape(-1)[flat]

    def gives(answer: Array, slack: Array) -> bool:
        return bool(judge_elements(got, answer, slack)[1].mean() >= NEARLY_ALL)

    if gives(-truth, slack):
        yield "the wrong elements have the wrong sign"
    if gives(2 * truth, 2 * slack):
        yield "the wrong elements are twice the expected value"
    offset = float(np.median(got.astype(np.float64) - truth.astype(np.float64)))
    if flat.size >= FEW and np.isfinite(offset) and gives(truth + offset, slack):
        yield f"the wrong elements are all off by {offset:+.4g}"


def _some_wrong(found: Comparison) -> Array:
    """Flat indices of wrong elements, spread over all of them."""
    flat = np.flatnonzero(found.wrong)
    return flat[np.linspace(0, flat.size - 1, min(ENOUGH, flat.size), dtype=int)]


def constant(found: Comparison) -> str:
    """The one number that all wrong elements hold, as a sentence; empty if they differ."""
    flat = _some_wrong(found)
    got = decode(found.got.reshape(-1)[flat], found.argument.dtype)
    alike = flat.size >= FEW and np.isfinite(got[0]) and (got == got[0]).all()
    return f"every wrong element holds {got[0]:g}" if alike else ""


def named_indices(spec: Spec, data: CallData, found: Comparison) -> Iterator[str]:
    """Where inputs are unique ids, the value of a wrong element says where it was read."""
    family = spec.family(data.case.family)
    if not family.names_index:
        return
    flat = _some_wrong(found)
    for argument in spec.arrays:
        ids = data.arrays.get(argument.name)
        if ids is None or family.inputs[argument.name].kind != "ids":
            continue
        places = {}
        for place, value in enumerate(decode(ids.reshape(-1), argument.dtype).tolist()):
            places[value] = None if value in places else place
        got = decode(found.got.reshape(-1)[flat], found.argument.dtype).tolist()
        truth = found.expected.value.reshape(-1)[flat].tolist()
        pairs = [
            (int(element), places.get(g), places.get(t))
            for element, g, t in zip(flat, got, truth, strict=True)
        ]
        read = [(e, g, t) for e, g, t in pairs if g is not None and t is not None]
        if not read or len(read) < len(pairs) / 2:
            continue
        element, g, t = read[0]
        at, held, wanted = (
            f"{name}[{', '.join(str(i) for i in index)}]"
            for name, index in (
                (found.argument.name, np.unravel_index(element, found.got.shape)),
                (argument.name, np.unravel_index(g, ids.shape)),
                (argument.name, np.unravel_index(t, ids.shape)),
            )
        )
        yield f"{at} holds {held}, expected {wanted}" + _offset(read, ids.shape)


def _offset(read: list[tuple[int, int, int]], shape: tuple[int, ...]) -> str:
    """What all the wrong reads have in common, if they do."""
    if len(read) < FEW:
        return ""
    _, got, truth = (np.array(column) for column in zip(*read, strict=True))
    held, wanted = np.unravel_index(got, shape), np.unravel_index(truth, shape)
    offsets = [set((h - w).tolist()) for h, w in zip(held, wanted, strict=True)]
    if all(len(offset) == 1 for offset in offsets):
        steps = ", ".join(f"{offset.pop():+d}" for offset in offsets)
        return f"; all wrong elements are read ({steps}) away"
    if len(shape) == 2 and (held[0] == wanted[1]).all() and (held[1] == wanted[0]).all():
        return "; all wrong elements are read with the indices exchanged"
    return ""


def _copies(spec: Spec, data: CallData, found: Comparison, flat: Array) -> Iterator[str]:
    """Wrong elements that are an input, element by element."""
    for argument in spec.arrays:
        array = data.arrays.get(argument.name)
        if (
            array is None
            or array.size != found.got.size
            or argument.dtype is not found.argument.dtype
        ):
            continue
        same = bits(array.reshape(-1)[flat]) == bits(found.got.reshape(-1)[flat])
        if same.mean() >= NEARLY_ALL:
            yield f"the wrong elements equal {argument.name}, as it was before the call"


def _maps(
    shape: tuple[int, ...], flat: Array, spec: Spec, data: CallData
) -> Iterator[tuple[str, Array]]:
    """Guesses: words, and for each element the flat place its value belongs to (-1: nowhere)."""
    index = np.unravel_index(flat, shape)
    if len(shape) == 2 and min(shape) > 1:
        rows, columns = shape
        yield "the expected output transposed", flat % rows * columns + flat // rows
        for axis, size in data.case.sizes.items():
            if size not in (columns, 1):
                i, j = flat // size, flat % size
                place = np.where((i < rows) & (j < columns), i * columns + j, -1)
                yield f"the output written with rows {axis} = {size} apart, not {columns}", place
    words = ["row", "column"] if len(shape) == 2 else [f"index {d}" for d in range(len(shape))]
    words = ["element"] if len(shape) == 1 else words
    for dimension, size in enumerate(shape):
        if size == 1:
            continue
        for tile in spec.tiles:
            if tile < size:
                inside = _place(index, dimension, index[dimension] % tile, shape)
                yield f"the expected ones of the first tile of {tile} {words[dimension]}s", inside
        for step in (1, *spec.tiles):
            for sign in (1, -1):
                if step < size:
                    moved = index[dimension] + sign * step
                    words_ = f"the expected ones {step} {words[dimension]}{'s' * (step > 1)}"
                    side = "further on" if sign > 0 else "before"
                    yield f"{words_} {side}", _place(index, dimension, moved, shape)
        yield (
            f"the expected ones of the {words[dimension]} counted from the other end",
            _place(index, dimension, size - 1 - index[dimension], shape),
        )


def _place(index: tuple[Array, ...], dimension: int, moved: Array, shape: tuple[int, ...]) -> Array:
    """Flat places with one coordinate moved; -1 where that leaves the output."""
    inside = (moved >= 0) & (moved < shape[dimension])
    changed = list(index)
    changed[dimension] = np.where(inside, moved, 0)
    return np.where(inside, np.ravel_multi_index(tuple(changed), shape), -1)
