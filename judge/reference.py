"""The right answer of a call, in float64 from the inputs as they are stored, and its tolerance.

The reference is the expressions of the spec or the problem's reference.py, which offers

    reference(arrays, sizes, scalars) -> {output: array}
    magnitude(arrays, sizes, scalars) -> {output: array}    the formula on absolute values; only the
                                                            rule `rounding` needs it

with arrays in float64 (integer arrays in int64 or uint64), sizes and scalars as plain numbers.  A
scalar is what its type makes of it: 0.1 passed as float is not 0.1.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from judge import arrayexpr, elements, expr, paths, speccheck, tolerance
from judge import spec as specs
from judge.model import Argument, Array, CallData, Expected, JudgeError, Spec, SpecError

Formula = Callable[[dict[str, Array], dict[str, int], dict[str, float]], Mapping[str, Array]]


def expected(spec: Spec, data: CallData) -> dict[str, Expected]:
    """The right answer and the allowed error of every output of a call.

    Where the family is exact the answer is rounded to the output type and no error is allowed.
    Raises: SpecError where the spec asks for what its output type cannot hold, or its reference.py
    gives no such array.
    """
    if spec.challenge is not None:
        return spec.challenge.expected(spec, data)
    arrays, sizes, scalars = inputs(spec, data)
    values = _evaluate(spec, "reference", arrays, sizes, scalars)
    exact = spec.family(data.case.family).exact
    needed = {o.name for o in spec.outputs if spec.tolerance[o.name].rule == "rounding"}
    magnitudes = (
        _evaluate(spec, "magnitude", arrays, sizes, scalars) if needed and not exact else {}
    )
    answers = {}
    for output in spec.outputs:
        shape = specs.shape(output, sizes)
        value = _shaped(spec, output, values, shape)
        if not output.dtype.is_float:
            answers[output.name] = Expected(_integers(spec, output, value), np.zeros(shape))
            continue
        rule = spec.tolerance[output.name]
        magnitude = None
        if output.name in needed and not exact:
            magnitude = _shaped(spec, output, magnitudes, shape)
        _guard(spec, data, output, value if magnitude is None else magnitude)
        if exact:
            answers[output.name] = Expected(elements.rounded(value, output.dtype), np.zeros(shape))
        else:
            terms = expr.sizes(rule.terms, sizes)
            answers[output.name] = Expected(
                value, tolerance.allowed(rule, output.dtype, value, magnitude, terms)
            )
    return answers


def inputs(spec: Spec, data: CallData) -> tuple[dict[str, Array], dict[str, int], dict[str, float]]:
    """Arrays, sizes and scalars of a call, as a reference.py gets them."""
    arrays = {n: _decoded(a, spec.argument(n)) for n, a in data.arrays.items()}
    scalars = {s.name: _as_typed(data.case.scalars[s.name], s) for s in spec.scalars}
    return arrays, dict(data.case.sizes), scalars


def _decoded(stored: Array, argument: Argument) -> Array:
    """The numbers of an input, a copy that cannot be written."""
    numbers = elements.decode(stored, argument.dtype)
    if not argument.dtype.is_float:
        numbers = numbers.astype(np.uint64 if argument.dtype.value == "uint64" else np.int64)
    numbers.setflags(write=False)
    return numbers


def _as_typed(value: float, scalar: Argument) -> float:
    """A scalar as the kernel gets it."""
    if not scalar.dtype.is_float:
        return int(value)
    return float(elements.rounded(np.array([value], dtype=np.float64), scalar.dtype)[0])


def _evaluate(
    spec: Spec,
    what: str,
    arrays: dict[str, Array],
    sizes: dict[str, int],
    scalars: dict[str, float],
) -> Mapping[str, Array]:
    """All outputs of the reference, or of its magnitude."""
    if spec.reference_path is not None:
        with np.errstate(all="ignore"):  # altered inputs, in a diagnosis, hold anything
            return _script(spec.reference_path, what)(arrays, sizes, scalars)
    names: dict[str, Any] = {**arrays, **sizes, **scalars}
    evaluate = arrayexpr.arrays if what == "reference" else arrayexpr.magnitude
    try:
        return {
            output: evaluate(text, names)
            for output, text in spec.reference.items()
            if what == "reference" or spec.tolerance[output].rule == "rounding"
        }
    except expr.ExpressionError as error:
        raise SpecError(paths.shown(spec.path), 0, "reference", str(error)) from None


def _script(path: Path, name: str) -> Formula:
    """A function of the problem's reference.py."""
    function = getattr(module(path), name, None)
    if not callable(function):
        raise SpecError(
            paths.shown(path), 0, "", f"missing the function {name}(arrays, sizes, scalars)"
        )
    checked: Formula = function
    return checked


@functools.lru_cache(maxsize=8)
def module(path: Path) -> Any:
    """The problem's reference.py, loaded by path."""
    found = importlib.util.spec_from_file_location(f"reference_{path.parent.name}", path)
    if found is None or found.loader is None:
        raise JudgeError(f"{path}: cannot load it")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _shaped(
    spec: Spec, output: Argument, values: Mapping[str, Array], shape: tuple[int, ...]
) -> Array:
    """One output of a reference in the shape of the array it is for."""
    value = np.asarray(values.get(output.name))
    if value.dtype.kind not in "fiu" or not speccheck.fitting(value.shape, shape):
        got = f"shape {value.shape} of {value.dtype}" if output.name in values else "nothing"
        where = spec.reference_path or spec.path
        raise SpecError(
            paths.shown(where), 0, f"reference.{output.name}", f"got {got}, expected shape {shape}"
        )
    return value.reshape(shape)


def _integers(spec: Spec, output: Argument, value: Array) -> Array:
    """An answer in the output's integer type, which must hold it."""
    low, high = elements.integer_range(output.dtype)
    if value.dtype.kind == "f":
        whole = bool(np.all((value == np.rint(value)) & (value >= low) & (value <= high)))
    else:
        info = np.iinfo(output.dtype.storage)
        whole = not value.size or (
            int(value.min()) >= int(info.min) and int(value.max()) <= int(info.max)
        )
    if not whole:
        message = f"got numbers that {output.dtype.value} cannot hold, expected only such as it can"
        raise SpecError(paths.shown(spec.path), 0, f"reference.{output.name}", message)
    return value.astype(output.dtype.storage)


def _guard(spec: Spec, data: CallData, output: Argument, bound: Array) -> None:
    """Refuse what may overflow: sums of absolute values stay below half the largest number."""
    limit = elements.largest(output.dtype) / 2
    most = float(np.max(np.abs(bound), initial=0.0))
    if not most < limit:
        raise SpecError(
            paths.shown(spec.path),
            0,
            f"families.{data.case.family}",
            f"got sums of up to {most:g} for {output.name} in {data.case.id}, "
            f"expected less than {limit:g}, half of what {output.dtype.value} holds",
        )
