"""judge/arguments.py: numbers that `solve` takes by value, as a worker is told of them."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from judge.arguments import number
from judge.model import Argument, CallData, Case, Dtype, Role


def told(dtype: Dtype, value: float, role: Role = Role.SCALAR) -> dict[str, Any]:
    """What the worker hears of an argument of that type and value, after JSON."""
    call = CallData(Case("id", "normal", {"N": int(value)}, {"s": value}), 0, {})
    name = "N" if role is Role.AXIS else "s"
    found: dict[str, Any] = json.loads(json.dumps(number(Argument(name, dtype, role), call)))
    return found


def test_an_axis_is_the_size_of_the_case() -> None:
    """Sizes are ints, of the type the signature says."""
    assert told(Dtype.INT64, 131072, Role.AXIS) == {"name": "N", "ctype": "int64", "value": 131072}


@pytest.mark.parametrize("value", [0.1, -1.25, 1e-30, 3.4e38])
def test_a_float_arrives_to_the_last_bit(value: float) -> None:
    """JSON and ctypes keep a double: rounding to float happens once, in the worker."""
    found = told(Dtype.FLOAT32, value)

    assert (found["ctype"], found["value"]) == ("float32", value)


def test_a_half_goes_as_its_bits() -> None:
    """ctypes has no 16-bit floats."""
    bits = struct.unpack("<H", struct.pack("<e", -1.25))[0]

    assert told(Dtype.FLOAT16, -1.25) == {"name": "s", "ctype": "uint16", "value": bits}


def test_a_bfloat16_goes_as_the_upper_half_of_a_float() -> None:
    """Rounded to nearest even: 1 + 3/256 lies between 0x3f81 and 0x3f82, and goes up."""
    assert told(Dtype.BFLOAT16, -1.25)["value"] == 0xBFA0
    assert told(Dtype.BFLOAT16, 1 + 3 / 256) == {"name": "s", "ctype": "uint16", "value": 0x3F82}


@pytest.mark.parametrize("dtype", [Dtype.INT32, Dtype.UINT8, Dtype.INT64])
def test_an_integer_scalar_is_an_int(dtype: Dtype) -> None:
    """Scalars of a case are floats; ctypes refuses 3.0 for an int."""
    found = told(dtype, 3.0)

    assert found == {"name": "s", "ctype": dtype.value, "value": 3}
    assert type(found["value"]) is int
