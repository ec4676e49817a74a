"""Contents of a timed case in the judge's own device memory, which no handle leads to.

Pristine inputs, right answers and what is allowed, against which the judge's kernels compare.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from judge.arena import CANARY
from judge.gpuarena import Layout
from judge.gpucheck import DeviceChecker
from judge.gpudevice import Device
from judge.gpumemory import IpcMemory, SharedMemory
from judge.model import CallData, Expected, Fault, Reason, Role, Spec, Verdict


@dataclass(frozen=True)
class Content:
    """What one staged set holds, and what must come of it."""

    data: CallData
    expected: dict[str, Expected]


@dataclass(frozen=True)
class Kept:
    """One content there: allocations by argument name."""

    data: CallData
    pristine: Mapping[str, Any]
    expected: Mapping[str, Any]
    allowed: Mapping[str, Any]

    def free(self) -> None:
        """Give the memory back."""
        for group in (self.pristine, self.expected, self.allowed):
            for allocation in group.values():
                allocation.free()


def keep(device: Device, content: Content) -> Kept:
    """A content, uploaded."""

    def put(array: Any) -> Any:
        array = np.ascontiguousarray(array)
        allocation = device.allocate(max(1, array.nbytes))
        device.upload(int(allocation), array)
        return allocation

    data, expected = content.data, content.expected
    return Kept(
        data,
        {name: put(array) for name, array in {**data.arrays, **data.initial}.items()},
        {name: put(one.value.astype(np.float64)) for name, one in expected.items()},
        {name: put(one.allowed.astype(np.float64)) for name, one in expected.items()},
    )


def surroundings(
    checker: DeviceChecker,
    memory: IpcMemory | SharedMemory,
    layout: Layout,
    kept: Kept,
    spec: Spec,
) -> Fault | None:
    """What is wrong with the guard bands and the inputs of a staged set."""
    for where, start, end in layout.guards():
        if checker.bytes_other_than(CANARY, memory.on_device(start, end - start), end - start):
            text = f"bytes {where} were written in a timed call"
            return Fault(Verdict.WA, Reason.GUARD_OVERWRITTEN, text)
    for name, pristine in kept.pristine.items():
        if spec.argument(name).role is not Role.IN:
            continue
        extent = layout.extents[name]
        address = memory.on_device(extent.offset, extent.bytes)
        if checker.bytes_different(address, int(pristine), extent.bytes):
            text = f"{name}, an input, was modified in a timed call"
            return Fault(Verdict.WA, Reason.INPUT_MODIFIED, text)
    return None
