"""What solve may do with each array, and what an output holds before a call.

Directions stand in challenge.py, or, in its older form, nowhere; what an output begins with is
there only as the content of its tests.  Submissions rely on both: many add to an output that the
tests make of zeros.  So the reference is asked: what it changes is an output; and an output whose
old content changes the answer is read.  An output begins

    as zeros            where the tests make it of zeros, or the reference leaves parts unwritten
    with their content  where the reference reads it
    as poison           else: nothing promises anything
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge.compare import bits, judge_elements, poison
from judge.elements import decode
from judge.leetgpu.parameters import Parameter
from judge.model import Array, Dtype, Init, Role, SpecError

Arrays = Mapping[str, Array]


@dataclass(frozen=True)
class Use:
    """What becomes of one array.  kept: called an output, but its content counts."""

    role: Role
    init: Init = Init.POISON
    kept: bool = False


@dataclass(frozen=True)
class Trial:
    """One test, small enough to run the reference on it some more: its arrays, and the reference.

    after: the arrays after the reference, of arrays before it; raises SpecError where it fails
    """

    before: Arrays
    after: Callable[[Arrays], Arrays]


def of(
    parameters: Sequence[Parameter], trials: Sequence[Trial], allowed: tuple[float, float]
) -> dict[str, Use]:
    """The use of each array.  allowed: atol and rtol, to tell answers apart."""
    arrays = [one for one in parameters if one.is_array]
    answers = [trial.after(trial.before) for trial in trials]
    out = {
        one.name: one.dtype
        for one in arrays
        if one.direction == "out" or (not one.direction and _changed(one.name, trials, answers))
    }
    spoiled = [_after_poison(trial, out) for trial in trials] if out else []
    read, left = False, set[str]()
    for answer, other in zip(answers, spoiled, strict=False):
        if other is None:
            read = True
            continue
        for one in arrays:
            if one.name in out:
                read = read or _differ(one, answer[one.name], other[one.name], allowed)
                left |= {one.name} if _leaves(other[one.name], one.dtype) else set()
    return {one.name: _use(one, out, trials, read, left) for one in arrays}


def undefined(array: Array, dtype: Dtype) -> bool:
    """Whether nobody has written any element: what torch.empty gives here."""
    if dtype.is_float:
        return bool(np.isnan(decode(array, dtype)).all())
    return bool((array == poison(dtype)).all())


def poisoned(shape: tuple[int, ...], dtype: Dtype) -> Array:
    """An array as the judge poisons it."""
    return np.full(shape, poison(dtype)[0], dtype.storage)


def _use(
    one: Parameter,
    out: Mapping[str, Dtype],
    trials: Sequence[Trial],
    read: bool,
    left: Collection[str],
) -> Use:
    """read: what outputs hold counts;  left: outputs with elements that nothing was written to"""
    if one.name not in out:
        return Use(Role.INOUT if one.direction == "inout" else Role.IN)
    if not any(trial.before[one.name].any() for trial in trials):
        return Use(Role.OUT, Init.ZERO)
    if not all(undefined(trial.before[one.name], one.dtype) for trial in trials):
        return Use(Role.INOUT, kept=one.direction == "out") if read else Use(Role.OUT)
    return Use(Role.OUT, Init.ZERO if one.name in left else Init.POISON)


def _changed(name: str, trials: Sequence[Trial], answers: Sequence[Arrays]) -> bool:
    """Whether the reference changes an array in some test."""
    return any(
        trial.before[name].tobytes() != answer[name].tobytes()
        for trial, answer in zip(trials, answers, strict=True)
    )


def _after_poison(trial: Trial, out: Mapping[str, Dtype]) -> Arrays | None:
    """The answer where outputs begin as poison; None where the reference then fails."""
    spoiled = {name: poisoned(trial.before[name].shape, dtype) for name, dtype in out.items()}
    try:
        return trial.after({**trial.before, **spoiled})
    except SpecError:
        return None


def _leaves(answer: Array, dtype: Dtype) -> bool:
    """Whether some elements, but not all, are still poison."""
    blank = bits(answer) == bits(poison(dtype))
    return bool(blank.any() and not blank.all())


def _differ(one: Parameter, answer: Array, other: Array, allowed: tuple[float, float]) -> bool:
    atol, rtol = allowed
    value, got = decode(answer, one.dtype), decode(other, one.dtype)
    with np.errstate(all="ignore"):
        limit = atol + rtol * np.abs(value.astype(np.float64))
        _, right = judge_elements(got, value, limit)
    return not bool(right.all())


def remarks(uses: Mapping[str, Use]) -> Iterator[str]:
    """What a reader of a report should know of outputs."""
    for name, use in uses.items():
        if use.role is Role.OUT and use.init is Init.POISON:
            yield f"{name} holds poison before each call: the challenge's tests leave it undefined"
        if use.kept:
            yield f"{name} is called out, but the reference reads it: it keeps what the tests hold"
