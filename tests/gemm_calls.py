"""Calls of the FP16 GEMM whose output a test makes up, for tests of checker and diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from judge import cases, checker, reference
from judge import spec as specs
from judge.elements import decode, encode
from judge.model import Array, CallData, Check, Dtype, Expected, Outcome, Spec

SEED = "tests"
RAGGED = "normal,M=65,N=33,K=17,alpha=-1.25,beta=0.5"


@dataclass(frozen=True)
class Call:
    """A call with its right answer; arrays are float64."""

    spec: Spec
    data: CallData
    expected: dict[str, Expected]
    A: Array
    B: Array
    C: Array
    truth: Array
    alpha: float
    beta: float

    @property
    def right(self) -> Array:
        """The answer as a right kernel stores it; a copy."""
        return encode(self.truth, Dtype.FLOAT16)

    def check(self, output: Array, before: Call | None = None, **seen: Any) -> Check:
        """Check an output: numbers, rounded here, or halves; `seen` is more of the Outcome."""
        stored = output if output.dtype == np.float16 else encode(output, Dtype.FLOAT16)
        previous = (before.expected, {"C": before.right}) if before else None
        outcome = Outcome(returned=True, outputs={"C": stored}, **seen)
        return checker.check(self.spec, self.data, self.expected, outcome, previous)


def call(case_id: str = RAGGED, round_: int = 0) -> Call:
    """The call of a case of the FP16 GEMM."""
    spec = specs.load("gemm_fp16")
    case = cases.parse_id(spec, case_id)
    data = cases.make(spec, case, SEED, round_)
    expected = reference.expected(spec, data)
    a, b, c = (decode(data.arrays[name], Dtype.FLOAT16) for name in "ABC")
    truth = np.array(expected["C"].value)
    return Call(spec, data, expected, a, b, c, truth, case.scalars["alpha"], case.scalars["beta"])
