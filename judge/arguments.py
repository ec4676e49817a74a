"""Numbers that `solve` takes by value, as a worker is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from judge.elements import encode
from judge.model import Argument, CallData, Dtype, Role


def number(argument: Argument, data: CallData) -> dict[str, Any]:
    """An axis or scalar: its name, C type and value; 16-bit floats as their bits."""
    given: Mapping[str, float] = data.case.sizes
    if argument.role is not Role.AXIS:
        given = data.case.scalars
    value: Any = given[argument.name]
    ctype = argument.dtype.value
    if argument.dtype in (Dtype.FLOAT16, Dtype.BFLOAT16):
        value = int(encode(np.array([value]), argument.dtype).view(np.uint16)[0])
        ctype = "uint16"
    elif not argument.dtype.is_float:
        value = int(value)
    return {"name": argument.name, "ctype": ctype, "value": value}
