"""What only a whole spec shows: sizes at which an expression fails, references of another shape.

A room of `spec.py`, the last one a problem.yaml passes through.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from judge import arrayexpr, axes, expr
from judge.model import Role, Spec
from judge.sizes import array_bytes, shape, small
from judge.yamlpos import Value


def check(spec: Spec, given: Mapping[str, Value]) -> None:
    """Raise SpecError, at the value of `given` that is wrong."""
    _check_families(spec, given)
    _check_sizes(spec, given)
    _check_reference(spec, given)


def fitting(got: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether a result of shape `got` is an array of shape `wanted`, but for lengths of 1."""
    return [n for n in got if n != 1] == [n for n in wanted if n != 1]


def _check_families(spec: Spec, given: Mapping[str, Value]) -> None:
    """Each family has sizes for which all requirements hold."""
    for member in spec.families:
        if small(spec, member.name) is None:
            value = given["families"].entries()[member.name]
            value.fail("got no small sizes for which all of require hold, expected some")


def _check_sizes(spec: Spec, given: Mapping[str, Value]) -> None:
    """Evaluate all expressions at the sizes named; refuse arrays beyond the memory limit."""
    fixed = given["cases"].entries()["fixed"].items()
    places = [
        (value.entries()["sizes"], case.sizes)
        for value, case in zip(fixed, spec.fixed, strict=True)
    ]
    if "timed" in given:
        places += list(zip(given["timed"].items(), spec.timed, strict=True))
    for value, sizes in places:
        if wrong := axes.broken(spec.axes, spec.require, sizes):
            value.fail(f"got sizes for which {wrong} does not hold")
        try:
            if any(length < 0 for array in spec.arrays for length in shape(array, sizes)):
                value.fail("got a negative length of an array at these sizes")
            needed = array_bytes(spec, sizes)
            for text in (spec.work, spec.bytes, *(t.terms for t in spec.tolerance.values())):
                expr.sizes(text, sizes)
        except expr.ExpressionError as error:
            value.fail(str(error))
        if needed > spec.limits.memory_bytes:
            value.fail(
                f"got arrays of {needed / 2**20:.0f} MiB, expected at most "
                f"limits.memory_mib, {spec.limits.memory_bytes // 2**20} MiB"
            )


def _check_reference(spec: Spec, given: Mapping[str, Value]) -> None:
    """Evaluate each expression once on small zeros: do the shapes fit, does `rounding` apply?"""
    sizes = small(spec)
    if sizes is None:
        given["require"].fail("got requirements that no small sizes were found for")
    names: dict[str, Any] = {**sizes, **{scalar.name: 1.0 for scalar in spec.scalars}}
    for array in spec.arrays:
        if array.role is not Role.OUT:
            names[array.name] = np.zeros(shape(array, sizes))
    for name, text in spec.reference.items():
        value = given["reference"].entries()[name]
        _check_shape(spec, value, name, text, names)
        if spec.tolerance[name].rule == "rounding":
            try:
                arrayexpr.check_magnitude(text, tuple(names))
            except expr.ExpressionError as error:
                value.fail(str(error))
    for words, expressions in spec.wrong.items():
        value = given["wrong"].entries()[words]
        for name, text in expressions.items():
            _check_shape(spec, value, name, text, names)


def _check_shape(
    spec: Spec, value: Value, output: str, text: str, names: Mapping[str, Any]
) -> None:
    """Evaluate an expression and hold its shape against that of the output it is for."""
    sizes = {axis.name: names[axis.name] for axis in spec.axes}
    wanted = shape(spec.argument(output), sizes)
    try:
        got = arrayexpr.arrays(text, names).shape
    except expr.ExpressionError as error:
        value.fail(str(error))
    if not fitting(got, wanted):
        value.fail(f"got shape {got} at {sizes}, expected {wanted} as {output}")
