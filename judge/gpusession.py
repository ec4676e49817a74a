"""A session with a worker of the GPU backend: CallData in, Outcome out, whatever happens.

The judge fills the arena, sends one message, waits within limits, then reads the whole range back
and looks at guards, inputs and outputs on the host.  `ask` is for timed calls (judge/gpustage.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from judge import cudaerrors, ends, gpuarena, gpustart
from judge import spec as specs
from judge.arguments import number
from judge.counted import counted
from judge.gpuarena import DeviceArena, Layout
from judge.gpudevice import Device
from judge.gpumemory import Ranges
from judge.link import Link
from judge.model import (
    Build,
    CallData,
    CallFault,
    Fault,
    Outcome,
    Reason,
    Role,
    Spec,
    Verdict,
)

_CALL_FIELDS: Mapping[str, type] = {
    "error": int,
    "seconds": float,
    "launches": list,
    "refused_bytes": int,
}
_LATE_SECONDS = 5.0
"""Beyond the limit, for a worker's first call: it loads the kernels and starts the device."""


class Session:
    """A worker that has loaded one submission; started at the first call, again after a death."""

    def __init__(
        self,
        build: Build,
        spec: Spec,
        device: Device,
        libraries: Sequence[str],
        arena_bytes: int = 0,
    ) -> None:
        """libraries: folders of the toolkit;  arena_bytes: the least the arena holds."""
        self._build, self._spec, self.device = build, spec, device
        self._libraries = tuple(libraries)
        self._memory_bytes = spec.limits.memory_bytes
        self._arena_bytes = max(arena_bytes, self._memory_bytes // 2)
        self.arena: DeviceArena | None = None
        self._layout: Layout | None = None
        self._link: Link | None = None
        self._called = False
        self.attributes = device.attributes()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, data: CallData, *, schedule: int, same_addresses: bool) -> Outcome:
        """Call `solve` once on buffers the judge owns; return what the judge saw.

        schedule: has no meaning on a GPU, whose order is its own
        Raises JudgeError if the judge or the machine is broken; never for a bad submission.
        """
        outcome = self._call(data, same_addresses)
        if not self.device.unshared:
            return outcome
        note = f"buffers by shared memory: {self.device.unshared}"
        return replace(outcome, notes=(note, *outcome.notes))

    def _call(self, data: CallData, same_addresses: bool) -> Outcome:
        sizes = data.case.sizes
        bytes_ = {
            one.name: int(np.prod(specs.shape(one, sizes), dtype=np.int64)) * one.dtype.itemsize
            for one in self._spec.arrays
        }
        self._make_room(DeviceArena.span(bytes_))
        refusal = self.start()
        if refusal is not None:
            return refusal
        assert self._link is not None
        assert self.arena is not None
        memory = self.arena.memory
        layout = self.arena.lay_out(bytes_, like=self._layout if same_addresses else None)
        self._layout = layout
        self.arena.write(layout, self._spec.signature, data)
        limit = self._spec.limits.seconds_per_call + (0 if self._called else _LATE_SECONDS)
        self._called = True
        moved = memory.exchange([(layout.start, layout.end)])
        message = {"arguments": self.describe(layout, data), **moved}
        seconds = limit + memory.seconds(layout.end - layout.start)
        reply = self._link.ask(message, seconds, memory.host_bytes(), _CALL_FIELDS)
        printed = ends.printed(*self._link.printed())
        if reply.answer is None:
            fault = ends.fault(reply, self._spec.limits)
            self._drop()
            return Outcome(returned=False, fault=fault, printed=printed)
        launches = cudaerrors.launches(reply.answer["launches"], self._build.kernels)
        error = int(reply.answer["error"])
        found = cudaerrors.fault(error, launches, self._build.kernels, self.attributes)
        refused = int(reply.answer["refused_bytes"])
        if refused > 0:
            asked, most = counted(refused, "byte"), counted(self._memory_bytes, "byte")
            text = f"cudaMalloc of {asked}: over the limit of {most}"
            found = Fault(Verdict.MLE, Reason.MEMORY, text)
        if cudaerrors.is_sticky(error):
            # The context is lost, and with it what the call may have written.
            self._drop()
            return Outcome(returned=False, fault=found, printed=printed)
        found = ends.uses_banned(self._link, self._spec.banned) or found
        content = self.arena.read(layout)
        return Outcome(
            returned=True,
            outputs={
                one.name: gpuarena.array_of(layout, content, one, specs.shape(one, sizes))
                for one in self._spec.outputs
            },
            overwritten=gpuarena.overwritten(
                layout, content, {one.name: one.dtype.itemsize for one in self._spec.arrays}
            ),
            modified=tuple(
                one.name
                for one in self._spec.arrays
                if one.role is Role.IN
                and not gpuarena.same_bytes(
                    gpuarena.array_of(layout, content, one, specs.shape(one, sizes)),
                    data.arrays[one.name],
                )
            ),
            fault=found,
            notes=cudaerrors.notes(launches),
            printed=printed,
            seconds=min(limit, max(0.0, float(reply.answer["seconds"]))),
        )

    def start(self) -> Outcome | None:
        """Start a worker if there is none; an Outcome if the submission does not load."""
        if self._link is not None:
            return None
        if self.arena is None:
            self.arena = DeviceArena(gpustart.memory(self.device, self._arena_bytes))
        self._called = False
        limits = self._spec.limits
        self.arena.memory, started = gpustart.loaded(
            self.arena.memory,
            self._load(),
            self._libraries,
            lambda reply, when: ends.fault(reply, limits, when),
        )
        if isinstance(started, Outcome):
            return started
        self._link = started
        return None

    def ask(
        self, message: Mapping[str, Any], fields: Mapping[str, type], seconds: float
    ) -> Mapping[str, Any]:
        """Have the worker do something other than a plain call.

        fields: of the answer, beside `returned` and `error`
        Raises CallFault if it does not come back, or with a CUDA error.
        """
        assert self._link is not None
        assert self.arena is not None
        mapped = self.arena.memory.host_bytes()
        reply = self._link.ask(message, seconds, mapped, {"error": int, **fields})
        if reply.answer is None:
            fault = ends.fault(reply, self._spec.limits)
            printed = ends.printed(*self._link.printed())
            self._drop()
            raise CallFault(replace(fault, details=(*fault.details, *printed.splitlines()[-5:])))
        error = int(reply.answer["error"])
        if error:
            found = cudaerrors.fault(error, (), (), self.attributes)
            if cudaerrors.is_sticky(error):
                self._drop()
            raise CallFault(found or Fault(Verdict.RE, Reason.CUDA_ERROR, f"CUDA error {error}"))
        if unwanted := ends.uses_banned(self._link, self._spec.banned):
            raise CallFault(unwanted)
        return reply.answer

    def exchange(self, fetch: Ranges = ()) -> None:
        """Bring what was written to the worker's device, and what is to be looked at from there,
        where that takes a message of its own.  Raises CallFault."""
        assert self.arena is not None
        memory = self.arena.memory
        moves = memory.exchange(fetch)
        if moves:
            seconds = self._spec.limits.seconds_per_call + memory.seconds(memory.capacity)
            self.ask({"do": "exchange", **moves}, {}, seconds)

    def describe(self, layout: Layout, data: CallData) -> list[dict[str, Any]]:
        """The arguments of `solve` as the worker is told of them."""
        return [
            {"name": one.name, "offset": layout.extents[one.name].offset}
            if one.is_array
            else number(one, data)
            for one in self._spec.signature
        ]

    def close(self) -> None:
        """End the worker and everything it started, and free the arena."""
        self._drop()
        if self.arena is not None:
            self.arena.close()
            self.arena = None

    def _load(self) -> gpustart.Load:
        assert self._build.cubin is not None
        return gpustart.Load(
            setting={
                "source": str(self._build.source),
                "library": str(self._build.library),
                "cubin": str(self._build.cubin),
                "kernels": [one.symbol for one in self._build.kernels],
                "flush_bytes": 2 * self.attributes["l2_cache_size"],
            },
            readable=(self._build.library, self._build.cubin, self._build.source),
            memory_bytes=self._memory_bytes,
            banned=self._spec.banned,
        )

    def _make_room(self, span: int) -> None:
        """A larger arena, and with it another worker, for arrays that take more than half of what a
        call may."""
        if span > self._arena_bytes:
            self.close()
            self._arena_bytes = span

    def _drop(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
