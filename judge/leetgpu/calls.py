"""The calls of a challenge: arrays of its tests, and what its reference makes of them.

What `judge/content.py` and `judge/reference.py` are to a problem.yaml; both ask here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from judge import elements, paths, sizes, tolerance
from judge.leetgpu import roles
from judge.leetgpu.parameters import ChallengeTest, Parameter
from judge.leetgpu.process import Process
from judge.model import (
    Argument,
    Array,
    CallData,
    Case,
    Expected,
    Init,
    Role,
    Spec,
    SpecError,
    Tolerance,
)


class OwnTests:
    """The tests of a challenge as the calls of a problem: see model.Challenge."""

    def __init__(
        self,
        path: Path,
        process: Process,
        tests: Mapping[str, ChallengeTest],
        allowed: tuple[float, float],
    ) -> None:
        """tests: by case id;  allowed: atol and rtol"""
        self.path = path
        self.cases: tuple[Case, ...] = ()
        self.timed: tuple[Case, ...] = ()
        self.remarks: tuple[str, ...] = ()
        self._process, self._tests = process, tests
        self._rule = Tolerance("allclose", atol=allowed[0], rtol=allowed[1])

    def call(self, spec: Spec, case: Case, round_: int) -> CallData:
        """The arrays of a test; another round has other random numbers where it draws any."""
        question = {"do": "content", "test": self._tests[case.id].label, "round": round_}
        _, content = self._process.ask(question)
        arrays, initial = {}, {}
        for argument in spec.arrays:
            array = content[argument.name].reshape(sizes.shape(argument, case.sizes))
            if argument.role is not Role.OUT:
                arrays[argument.name] = array
            elif argument.init is Init.ZERO:
                initial[argument.name] = np.zeros_like(array)
        return CallData(case, round_, arrays, initial)

    def expected(self, spec: Spec, data: CallData) -> dict[str, Expected]:
        """What the reference makes of these arrays.  Raises SpecError where it refuses them."""
        before: dict[str, Array] = {}
        for argument in spec.arrays:
            held = data.before(argument)
            if held is None:
                held = roles.poisoned(sizes.shape(argument, data.case.sizes), argument.dtype)
            before[argument.name] = held
        own = self._tests[data.case.id].shapes
        fitted = {
            name: array.reshape(own[name]) if array.size == math.prod(own[name]) else array
            for name, array in before.items()
        }
        after = evaluate(self._process, spec.signature, fitted, _numbers(spec, data.case))
        found = {}
        for output in spec.outputs:
            stored = after[output.name].reshape(before[output.name].shape)
            begun = data.before(output) is None and before[output.name].tobytes()
            if begun and stored.tobytes() == begun:
                message = (
                    f"reference_impl wrote nothing to {output.name}; expected its answer there"
                )
                raise SpecError(paths.shown(self.path), 0, data.case.id, message)
            value = elements.decode(stored, output.dtype)
            value = value.astype(np.float64) if output.dtype.is_float else value
            with np.errstate(all="ignore"):
                limit = tolerance.allowed(self._rule, output.dtype, value)
            found[output.name] = Expected(value, limit)
        return found


def evaluate(
    process: Process,
    signature: Sequence[Argument] | Sequence[Parameter],
    arrays: Mapping[str, Array],
    numbers: Mapping[str, float],
) -> dict[str, Array]:
    """The arrays after the reference.  Raises SpecError."""
    dtypes = {one.name: one.dtype.value for one in signature if one.is_array}
    question = {"do": "evaluate", "numbers": dict(numbers), "dtypes": dtypes}
    given = {name: (dtypes[name], array) for name, array in arrays.items()}
    return process.ask(question, given)[1]


def _numbers(spec: Spec, case: Case) -> dict[str, Any]:
    """The parameters by value, as challenge.py passes them: a float is not rounded to float."""
    given = {**case.scalars, **case.sizes}
    return {
        one.name: float(given[one.name]) if one.dtype.is_float else int(given[one.name])
        for one in spec.signature
        if not one.is_array
    }
