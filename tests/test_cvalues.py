"""judge/cvalues.py: numbers as `judge_entry` takes them."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import numpy as np
import pytest

from judge import arguments, cvalues
from judge.find import ROOT
from judge.model import Argument, CallData, Case, Dtype, Role


@pytest.mark.parametrize("dtype", Dtype)
def test_a_number_has_the_bytes_of_its_type(dtype: Dtype) -> None:
    """Whatever type a scalar has, the worker makes of what it is told what NumPy would hold."""
    case = Case("", "normal", {}, {"s": 3.0})
    told = arguments.number(Argument("s", dtype, Role.SCALAR), CallData(case, 0, {}))

    value = cvalues.number(told)

    as_float = np.array([3.0], "float32").view("uint32")
    bits = {Dtype.BFLOAT16: (as_float >> 16).astype("uint16")}  # the upper half of a float's
    want = bits.get(dtype, np.array([3]).astype(dtype.storage))
    assert bytes(value) == want.tobytes()


def test_pointers_lead_to_the_values() -> None:
    """In order, and for no value too there is an address to give."""
    values = [ctypes.c_int32(7), ctypes.c_double(0.5)]

    first, second = cvalues.pointers(values)

    assert ctypes.c_int32.from_address(first).value == 7
    assert ctypes.c_double.from_address(second).value == 0.5
    assert len(cvalues.pointers([])) == 1


def test_a_worker_needs_the_standard_library_only() -> None:
    """The room is imported without site-packages: a worker has none."""
    line = f"import sys; sys.path.append({str(ROOT)!r}); import judge.cvalues; "
    line += "print('numpy' in sys.modules)"
    argv = [sys.executable, "-I", "-S", "-c", line]

    assert subprocess.run(argv, capture_output=True, text=True).stdout == "False\n"
