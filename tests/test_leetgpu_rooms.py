"""The rooms of judge/leetgpu that need no torch: messages, parameters, sizes, what outputs hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judge.leetgpu import parameters, roles, sizes, wire
from judge.leetgpu.parameters import ChallengeTest, Parameter
from judge.leetgpu.roles import Trial, Use
from judge.model import Array, Dtype, Init, Role, SpecError


def test_arrays_arrive_as_they_were_sent() -> None:
    """Every byte, shape and order; bfloat16 as its bits; no dimensions and no elements, too."""
    sent = {
        "a": ("float32", np.arange(6, dtype=np.float32).reshape(2, 3).T),
        "b": ("bfloat16", np.array([0x3F80, 0xFFFF], np.uint16)),
        "c": ("int64", np.array(-5)),
        "d": ("uint8", np.zeros((0, 4), np.uint8)),
    }
    stream = b"".join(bytes(part) for part in wire.pack({"do": "it"}, sent))

    def read(size: int) -> bytes:
        nonlocal stream
        taken, stream = stream[:size], stream[size:]
        return taken

    head, arrays = wire.unpack(read)

    assert (head, stream) == ({"do": "it"}, b"")
    for name, (_, array) in sent.items():
        assert arrays[name].shape == array.shape
        assert arrays[name].tobytes() == array.tobytes()
    arrays["a"][0, 0] = 1  # can be written


def said(kind: dict[str, Any], given: dict[str, Any], direction: str | None = "in") -> Parameter:
    """The only parameter of a description."""
    description = {"signature": [["p", kind, direction]], "tests": [["example", {"p": given}]]}
    ((found,), _) = parameters.Reader(Path("challenge.py")).read(description)
    return found


def pointer(code: str, size: int) -> dict[str, Any]:
    """A pointer to numbers of that C type."""
    return {"pointer": True, "code": code, "bytes": size, "shown": "LP"}


def tensor(dtype: str) -> dict[str, Any]:
    """A tensor of a test."""
    return {"dtype": dtype, "shape": [3], "contiguous": True}


@pytest.mark.parametrize(
    ("code", "size", "dtype"),
    [
        ("f", 4, "float32"),
        ("d", 8, "float64"),
        ("H", 2, "float16"),  # ctypes has no half
        ("H", 2, "bfloat16"),
        ("H", 2, "uint16"),
        ("B", 1, "uint8"),
        ("i", 4, "int32"),
        ("I", 4, "int32"),  # torch had no unsigned types of 32 bits
        ("q", 8, "int64"),
        ("P", 8, "float16"),  # void*
    ],
)
def test_a_pointer_points_at_what_the_tensor_holds(code: str, size: int, dtype: str) -> None:
    """The type of the tensor counts, where the C type may point at it."""
    assert said(pointer(code, size), tensor(dtype)).dtype is Dtype(dtype)


@pytest.mark.parametrize(
    ("code", "size", "dtype"),
    [("f", 4, "int32"), ("f", 4, "float16"), ("i", 4, "float32"), ("i", 4, "int64"),
     ("z", 8, "int8")],
)  # fmt: skip
def test_a_pointer_to_something_else_is_refused(code: str, size: int, dtype: str) -> None:
    """Nothing is converted: a submission would read other numbers than the reference."""
    with pytest.raises(SpecError, match="example: p: got a tensor of"):
        said(pointer(code, size), tensor(dtype))


@pytest.mark.parametrize(
    ("code", "size", "value", "dtype"),
    [("f", 4, 0.1, "float32"), ("d", 8, 1, "float64"), ("i", 4, -3, "int32"),
     ("L", 8, 2**63, "uint64"), ("b", 1, -128, "int8")],
)  # fmt: skip
def test_a_number_has_the_c_type(code: str, size: int, value: float, dtype: str) -> None:
    """By value, of the width and sign that ctypes says."""
    kind = {**pointer(code, size), "pointer": False}

    found = said(kind, {"value": value})

    assert (found.dtype, found.is_array) == (Dtype(dtype), False)
    if not found.dtype.is_float:
        with pytest.raises(SpecError, match="expected a number that"):
            said(kind, {"value": 2**65})


N, K, A, Y = (
    Parameter("N", Dtype.INT32, False, "in"),
    Parameter("K", Dtype.INT32, False, "in"),
    Parameter("A", Dtype.FLOAT32, True, "in"),
    Parameter("y", Dtype.FLOAT32, True, "out"),
)


def test_shapes_are_named_by_the_numbers_that_fit_every_test() -> None:
    """An axis, a product, a constant; a length that nothing explains is an axis of its own."""
    tests = [
        ChallengeTest("t1", {"A": (3, 5, 15, 2), "y": (7,)}, {"N": 3, "K": 5}),
        ChallengeTest("t2", {"A": (4, 6, 24, 2), "y": (9,)}, {"N": 4, "K": 6}),
    ]
    known = sizes.axes((N, K, A, Y), tests)

    shapes, made = sizes.shapes((N, K, A, Y), tests, known)

    assert known == {"N": (3, 4), "K": (5, 6)}
    assert shapes == {"A": ("N", "K", "N * K", "2"), "y": ("y_0",)}
    assert made == {"y_0": (7, 9)}


def test_an_array_of_several_dimensions_or_none_counts_as_flat() -> None:
    """Only its length is the same kind of thing in every test."""
    tests = [
        ChallengeTest("t1", {"A": (2, 3), "y": ()}, {"N": 6, "K": 0}),
        ChallengeTest("t2", {"A": (8,), "y": ()}, {"N": 8, "K": -1}),
    ]
    known = sizes.axes((N, K, A, Y), tests)

    assert known == {"N": (6, 8)}  # K is no size
    assert sizes.shapes((N, K, A, Y), tests, known)[0] == {"A": ("N",), "y": ("1",)}


NAN = np.full(3, np.nan, np.float32)
ONES = np.ones(3, np.float32)
RAMP = np.arange(1, 4, dtype=np.float32)


def use(
    begun: Array,
    answer: Callable[[Array], Array],
    direction: str = "out",
    fails_on_nan: bool = False,
) -> Use:
    """What becomes of y, which begins so in the test, and which the reference gives an answer."""

    def after(given: roles.Arrays) -> roles.Arrays:
        if fails_on_nan and np.isnan(given["y"]).any():
            raise SpecError("challenge.py", 0, "", "assertion")
        return {"y": answer(given["y"].copy())}

    one = Parameter("y", Dtype.FLOAT32, True, direction)
    return roles.of([one], [Trial({"y": begun}, after)], (1e-5, 1e-5))["y"]


def partly(held: Array) -> Array:
    """Only the first element is written."""
    held[0] = 5
    return held


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (use(NAN, lambda held: RAMP), Use(Role.OUT)),
        (use(ONES, lambda held: RAMP), Use(Role.OUT)),
        (use(0 * ONES, lambda held: RAMP), Use(Role.OUT, Init.ZERO)),
        (use(0 * ONES, lambda held: held + RAMP), Use(Role.OUT, Init.ZERO)),
        (use(ONES, lambda held: held + RAMP), Use(Role.INOUT, kept=True)),
        (use(ONES, lambda held: RAMP, fails_on_nan=True), Use(Role.INOUT, kept=True)),
        (use(NAN, partly), Use(Role.OUT, Init.ZERO)),
        (use(ONES, partly), Use(Role.INOUT, kept=True)),
        (use(ONES, lambda held: held + RAMP, "inout"), Use(Role.INOUT)),
        (use(ONES, lambda held: held, "in"), Use(Role.IN)),
        (use(ONES, lambda held: held, ""), Use(Role.IN)),
        (use(ONES, lambda held: held * 2, ""), Use(Role.INOUT)),
        (use(NAN, lambda held: RAMP, ""), Use(Role.OUT)),
    ],
)
def test_what_an_output_begins_with(found: Use, expected: Use) -> None:
    """As the tests make it where that counts; poison where nothing promises anything."""
    assert found == expected


def test_a_kept_output_is_told_of() -> None:
    """And what holds poison."""
    told = list(roles.remarks({"a": Use(Role.INOUT, kept=True), "b": Use(Role.OUT)}))

    assert told[0].startswith("a is called out, but the reference reads it")
    assert told[1].startswith("b holds poison before each call")
