"""A GPU session whose worker is a Python function on a fake device's memory, with a clock to turn.

For tests of what the judge makes of samples; the problem is the FP16 GEMM at a small size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from fake_gpu import FakeDevice

from judge import caseids, gpustart
from judge import spec as specs
from judge.gpuarena import DeviceArena
from judge.gpumemory import IpcMemory, SharedMemory
from judge.gpusession import Session
from judge.model import Array, Build, Case, Limits, Outcome, Spec

SIZES = {"M": 6, "N": 5, "K": 7}
BYTES = {"A": 84, "B": 70, "C": 60}
Values = dict[str, Any]


def gemm() -> Spec:
    """The FP16 GEMM with a small arena."""
    return replace(specs.load("gemm_fp16"), limits=Limits(1.0, 1 << 20))


def case(spec: Spec, beta: float) -> Case:
    """A small case."""
    return caseids.make_case(spec, "normal", SIZES, {"alpha": 1, "beta": beta})


def right(given: Values) -> None:
    """What a right kernel does."""
    a, b, c = (given[name].astype(np.float64) for name in "ABC")
    given["C"][:] = given["alpha"] * (a @ b) + given["beta"] * c


class Clock:
    """Stands in for the module time: only what is played takes time."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        """Seconds."""
        self.now += 1e-6
        return self.now


class PlayedSession(Session):
    """Its worker calls `solve(values)`, with arrays as views of the device's memory.

    us:      what a call really takes on `clock`;  claim: what the worker says it took
    method:  what the worker says of a sample, given whether it was asked to be gated
    """

    def __init__(
        self,
        spec: Spec,
        device: FakeDevice,
        solve: Callable[[Values], None] = right,
        us: float = 500.0,
        claim: Callable[[Mapping[str, Any]], Any] | None = None,
        method: Callable[[bool], Any] = lambda gated: "gated events" if gated else "events",
        clock: Clock | None = None,
    ) -> None:
        super().__init__(
            Build(Path("s.so"), Path("s.cu"), 0, False, ""), spec, device.as_device(), ()
        )
        self.memory, self._solve, self._us = device, solve, us
        self._claim, self._method, self._clock = claim, method, clock or Clock()
        self._types = {one.name: one for one in spec.signature}
        self.asked: list[Mapping[str, Any]] = []
        self.limits: list[float] = []

    def start(self) -> Outcome | None:
        """There is nothing to start but the arena."""
        if self.arena is None:
            self.arena = DeviceArena(gpustart.memory(self.device, self._arena_bytes))
            self.own = np.zeros(self._arena_bytes, np.uint8)
        return None

    def bytes_at(self, offset: int, size_bytes: int) -> Array:
        """A view of the arena as the worker sees it."""
        assert self.arena is not None
        memory = self.arena.memory
        if isinstance(memory, IpcMemory):
            return self.memory.bytes_at(memory.address + offset, size_bytes)
        return self.own[offset : offset + size_bytes]

    def ask(
        self, message: Mapping[str, Any], fields: Mapping[str, type], seconds: float
    ) -> Mapping[str, Any]:
        """Play a sample or a batch, between the copies that the message wants."""
        self._copy(message.get("put", ()), to_device=True)
        answer = self._do(message, seconds)
        self._copy(message.get("fetch", ()), to_device=False)
        return answer

    def _copy(self, ranges: Iterable[tuple[int, int]], to_device: bool) -> None:
        for start, end in ranges:
            assert self.arena is not None
            assert isinstance(self.arena.memory, SharedMemory)
            file, own = self.arena.memory._file.bytes[start:end], self.own[start:end]
            own[:], file[:] = (file, file) if to_device else (own, own)

    def _do(self, message: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        if message["do"] == "exchange":
            return {}
        self.asked.append(message)
        self.limits.append(seconds)
        if message["do"] == "batch":
            for number in range(message["calls"]):
                self._call(message["sets"][number % len(message["sets"])])
            return {}
        us = []
        for one in message["sets"]:
            for _ in range(message["before"]):
                self._call(one)
            if not message["nothing"]:
                self._call(one)
            took = 2.0 if message["nothing"] else self._us
            us.append(self._claim(message) if self._claim else took)
        return {"us": us, "method": [self._method(message["gated"]) for _ in us]}

    def _call(self, arguments: list[dict[str, Any]]) -> None:
        values: Values = {}
        for one in arguments:
            argument = self._types[one["name"]]
            if not argument.is_array:
                values[one["name"]] = one["value"]
                continue
            shape = specs.shape(argument, SIZES)
            view = self.bytes_at(one["offset"], BYTES[one["name"]])
            typed: Array = view.view(argument.dtype.storage).reshape(shape)
            values[one["name"]] = typed
        self._solve(values)
        self._clock.now += self._us * 1e-6
