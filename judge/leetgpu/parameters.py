"""What challenge.py says of solve's parameters and of its tests, held against what we can pass.

In comes the answer to `describe`, out come parameters with their dtypes, and tests with shapes and
numbers; whatever does not fit is one SpecError that names the test and the argument.
"""

from __future__ import annotations

import keyword
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from judge import paths
from judge.model import Dtype, SpecError
from judge.printable import printable

_INTEGERS = "bhilqBHILQc"
_FLOATS = {"f": Dtype.FLOAT32, "d": Dtype.FLOAT64}
_HALVES = (Dtype.FLOAT16, Dtype.BFLOAT16)
DIRECTIONS = ("in", "out", "inout")


@dataclass(frozen=True)
class Parameter:
    """One parameter of solve.  direction: `in`, `out`, `inout`, or empty where nothing says it."""

    name: str
    dtype: Dtype
    is_array: bool
    direction: str


@dataclass(frozen=True)
class ChallengeTest:
    """One test: shapes of its arrays as the reference sees them, and its numbers."""

    label: str
    shapes: Mapping[str, tuple[int, ...]]
    numbers: Mapping[str, float]


class Reader:
    """Reads one description; path: of challenge.py, for messages."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(
        self, said: Mapping[str, Any]
    ) -> tuple[tuple[Parameter, ...], tuple[ChallengeTest, ...]]:
        """Parameters in order, and tests.  Raises SpecError."""
        kinds = {name: (kind, direction) for name, kind, direction in said["signature"]}
        if not kinds:
            self._fail("get_solve_signature", "got no parameter, expected some")
        for name, (_, direction) in kinds.items():
            where = f"get_solve_signature: {printable(name)}"
            if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name):
                self._fail(where, "got no name that C++ and Python have, expected one")
            if direction is not None and direction not in DIRECTIONS:
                self._fail(where, f"got direction {direction!r}, expected one of {DIRECTIONS}")
        for label, given in said["tests"]:
            if set(given) != set(kinds):
                odd = ", ".join(sorted(set(given) ^ set(kinds)))
                self._fail(label, f"got other arguments than get_solve_signature names: {odd}")
        parameters = tuple(
            self._parameter(name, kind, direction or "", [(t, g[name]) for t, g in said["tests"]])
            for name, (kind, direction) in kinds.items()
        )
        return parameters, tuple(self._tests(said["tests"], parameters))

    def _parameter(
        self, name: str, kind: Mapping[str, Any], direction: str, given: Sequence[tuple[str, Any]]
    ) -> Parameter:
        if kind["code"] is None:
            message = f"got the type {printable(kind['shown'])}, expected a number or a pointer "
            self._fail(f"get_solve_signature: {name}", message + "to numbers, by ctypes")
        if not kind["pointer"]:
            return Parameter(name, self._number_type(name, kind), False, "in")
        found = {self._dtype(f"{label}: {name}", kind, one) for label, one in given}
        if len(found) > 1:
            several = ", ".join(sorted(one.value for one in found))
            self._fail(name, f"got tensors of several types: {several}; expected one type")
        return Parameter(name, found.pop(), True, direction)

    def _number_type(self, name: str, kind: Mapping[str, Any]) -> Dtype:
        """The type of a parameter by value."""
        code, bits = kind["code"], 8 * kind["bytes"]
        if code in _FLOATS:
            return _FLOATS[code]
        if code not in _INTEGERS:
            message = f"got {printable(kind['shown'])}, expected a number that C passes by value"
            self._fail(f"get_solve_signature: {name}", message)
        return Dtype(f"{'u' if code.isupper() else ''}int{bits}")

    def _dtype(self, where: str, kind: Mapping[str, Any], given: Mapping[str, Any]) -> Dtype:
        """The type of an array, by a tensor that is given for it."""
        if "dtype" not in given:
            got = given.get("type", "a number")
            self._fail(where, f"got {printable(got)}, expected a tensor")
        known = {one.value: one for one in Dtype}
        dtype = known.get(given["dtype"])
        if dtype is None:
            self._fail(
                where, f"got {printable(given['dtype'])}, expected one of {', '.join(known)}"
            )
        if not given["contiguous"]:
            self._fail(where, f"got a tensor of shape {given['shape']} that is not contiguous")
        if 0 in given["shape"]:
            self._fail(where, f"got shape {given['shape']}, expected at least one element")
        if not _agree(kind, dtype):
            shown = printable(kind["shown"])
            self._fail(where, f"got a tensor of {dtype.value}, expected what {shown} points at")
        return dtype

    def _tests(
        self, said: Sequence[tuple[str, Any]], parameters: Sequence[Parameter]
    ) -> Iterator[ChallengeTest]:
        for label, given in said:
            shapes = {
                one.name: tuple(given[one.name]["shape"]) for one in parameters if one.is_array
            }
            numbers = {
                one.name: self._number(f"{label}: {one.name}", one.dtype, given[one.name])
                for one in parameters
                if not one.is_array
            }
            yield ChallengeTest(label, shapes, numbers)

    def _number(self, where: str, dtype: Dtype, given: Mapping[str, Any]) -> float:
        if "value" not in given:
            got = "a tensor" if "dtype" in given else given["type"]
            self._fail(where, f"got {printable(got)}, expected a number")
        value = given["value"]
        if dtype.is_float:
            return float(value)
        bits = 8 * dtype.itemsize
        low, high = (
            (0, 2**bits) if dtype.value.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1))
        )
        if value != math.floor(value) or not low <= value < high:
            self._fail(where, f"got {value}, expected a number that {dtype.value} holds")
        return int(value)

    def _fail(self, where: str, message: str) -> NoReturn:
        raise SpecError(paths.shown(self._path), 0, where, message)


def _agree(kind: Mapping[str, Any], dtype: Dtype) -> bool:
    """Whether a pointer of that C type may point at elements of that type.

    Halves are passed as uint16, as ctypes has none; void points at anything.
    """
    code = str(kind["code"])
    if code in "PzZ":
        return code == "P"
    if kind["bytes"] != dtype.itemsize:
        return False
    if code in _FLOATS:
        return _FLOATS[code] is dtype
    return code in _INTEGERS and (not dtype.is_float or dtype in _HALVES)
