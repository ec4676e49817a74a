"""A session with a worker of the CPU backend: CallData in, Outcome out, whatever happens.

The judge lays a call's arrays out in shared memory, sends one message, waits within limits, and
then compares guards and inputs and copies the outputs.  What happened instead becomes a Fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from judge import expr, faults
from judge.arena import Arena, Slot
from judge.box import Event
from judge.confine import MIB
from judge.elements import encode
from judge.link import Link, Reply
from judge.model import (
    Argument,
    Build,
    CallData,
    Dtype,
    Fault,
    Outcome,
    Reason,
    Role,
    Spec,
    Verdict,
)
from judge.printable import printable
from judge.worker import BROKEN
from judge.symbols import Symbols

_MOST_LINES = 20
_LAST_SIGNAL = 64


class Session:
    """A worker that has loaded one submission; started at the first call, again after a death."""

    def __init__(self, build: Build, spec: Spec, runtime: Path, os_threads: int) -> None:
        """runtime: libcuda_emu.so; os_threads: how many blocks run at once."""
        self._os_threads = os_threads
        self._build, self._spec, self._runtime = build, spec, runtime
        self._symbols = Symbols(build.library, build.source)
        self._memory_bytes = spec.limits.memory_bytes
        self._arena: Arena | None = None
        self._link: Link | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, data: CallData, *, schedule: int, same_addresses: bool) -> Outcome:
        """Call `solve` once on buffers the judge owns; return what the judge saw.

        schedule: seed of the order of blocks and threads, 0 for forward
        same_addresses: use the addresses of the previous call again where the sizes are the same
        Raises JudgeError if the judge or the machine is broken; never for a bad submission.
        """
        shapes = self._shapes(data)
        if self._arena is None:
            self._arena = Arena(2 * self._memory_bytes + 64 * MIB)
        if self._link is None:
            refusal = self._start()
            if refusal is not None:
                return refusal
        assert self._link is not None
        slots = self._fill(self._arena, data, shapes)
        message = {
            "schedule": schedule,
            "same_addresses": same_addresses,
            "arguments": [_describe(one, slots, data) for one in self._spec.signature],
        }
        seconds = self._spec.limits.seconds_per_call
        reply = self._link.ask(message, seconds, self._arena.taken_bytes())
        explain = faults.Reader(
            self._symbols,
            {one.name: (shapes[one.name], one.dtype.itemsize) for one in self._spec.arrays},
        )
        printed = self._printed()
        notes = explain.sentences(reply.notes)
        if reply.answer is None:
            fault = self._fault(reply, explain)
            self._drop()
            return Outcome(returned=False, fault=fault, notes=notes, printed=printed)
        return Outcome(
            returned=True,
            outputs={
                one.name: self._arena.copy(slots[one.name], one.dtype, shapes[one.name])
                for one in self._spec.outputs
            },
            overwritten=tuple(filter(None, map(self._arena.overwritten, slots.values()))),
            modified=tuple(
                one.name
                for one in self._spec.arrays
                if one.role is Role.IN
                and self._arena.changed(slots[one.name], data.arrays[one.name])
            ),
            fault=explain.call(reply.notes, reply.answer["error"]),
            notes=notes,
            printed=printed,
            seconds=max(0.0, reply.answer["seconds"]),
        )

    def close(self) -> None:
        """End the worker and everything it started."""
        self._drop()
        if self._arena is not None:
            self._arena.close()
            self._arena = None

    def _start(self) -> Outcome | None:
        """Start a worker; an Outcome if the submission does not survive being loaded."""
        assert self._arena is not None
        self._link = Link(
            self._runtime, self._build.library, self._arena.fd, self._memory_bytes, self._os_threads
        )
        try:
            reply = self._link.load()
        except BaseException:
            self._drop()
            raise
        if reply.answer is not None and reply.answer.keys() == {"ready"}:
            return None
        if reply.answer is not None and isinstance(reply.answer.get("refused"), str):
            text = f"the submission cannot be loaded: {printable(reply.answer['refused'])}"
            fault = Fault(Verdict.CE, Reason.COMPILE, text)
        else:
            fault = self._fault(reply, faults.Reader(self._symbols, {}), "while it was loaded")
        printed = self._printed()
        self._drop()
        return Outcome(returned=False, fault=fault, printed=printed)

    def _drop(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _shapes(self, data: CallData) -> dict[str, tuple[int, ...]]:
        sizes = data.case.sizes
        return {
            one.name: tuple(expr.sizes(text, sizes) for text in one.shape)
            for one in self._spec.arrays
        }

    def _fill(
        self, arena: Arena, data: CallData, shapes: Mapping[str, tuple[int, ...]]
    ) -> dict[str, Slot]:
        """Lay the arrays of a call out in the arena: inputs filled, outputs poisoned."""
        slots = arena.lay_out(
            {
                one.name: int(np.prod(shapes[one.name], dtype=np.int64)) * one.dtype.itemsize
                for one in self._spec.arrays
            }
        )
        for one in self._spec.arrays:
            if one.role is Role.OUT:
                arena.poison(slots[one.name], one.dtype)
            else:
                arena.fill(slots[one.name], data.arrays[one.name])
        return slots

    def _printed(self) -> str:
        """What the submission printed, cleaned, a screenful at most."""
        assert self._link is not None
        output, cut = self._link.printed()
        lines = output.decode("utf-8", "replace").splitlines()
        shown = [printable(line) for line in lines[:_MOST_LINES]]
        if cut or len(lines) > _MOST_LINES:
            shown.append("... (more was printed)")
        return "\n".join(shown)

    def _fault(self, reply: Reply, explain: faults.Reader, when: str = "during the call") -> Fault:
        """Why there was no answer."""
        limits = self._spec.limits
        if reply.event is Event.TIME:
            where, place = explain.stopped(reply.notes)
            text = f"not done after {limits.seconds_per_call:g} s"
            return Fault(Verdict.TLE, Reason.TIMEOUT, text, place, tuple(filter(None, (where,))))
        if reply.event is Event.MEMORY:
            text = f"took more than {limits.memory_bytes // MIB} MiB of memory"
            return Fault(Verdict.MLE, Reason.MEMORY, text)
        if reply.event is Event.PROCESSES:
            return Fault(Verdict.RE, Reason.EXITED, f"started other processes {when}")
        told = explain.death(reply.notes)
        if told is not None:
            return told
        status = reply.returncode or 0
        if reply.event is Event.READABLE or status == BROKEN:
            got = repr(reply.garbage)[1:] if reply.garbage else "nothing"
            text = f"the worker's answer {when}: got {got}, expected its return"
            hint = "it seems to write to, or close, descriptors that are not its own"
            return Fault(Verdict.RE, Reason.EXITED, text, details=(hint,))
        # A shell, and bubblewrap, say 128 + n for signal n.
        number = -status if status < 0 else status - 128
        if 0 < number <= _LAST_SIGNAL:
            return faults.by_signal(number)
        text = f"the submission ended its process with exit status {status} {when}"
        return Fault(Verdict.RE, Reason.EXITED, text)


def _describe(one: Argument, slots: Mapping[str, Slot], data: CallData) -> dict[str, Any]:
    """One argument of `solve` as the worker is told of it."""
    if one.is_array:
        slot = slots[one.name]
        return {
            "name": one.name,
            "slot": slot.offset,
            "slot_bytes": slot.size,
            "bytes": slot.bytes,
            "read_only": one.role is Role.IN,
        }
    values: Mapping[str, float] = data.case.sizes if one.role is Role.AXIS else data.case.scalars
    value: Any = values[one.name]
    ctype = one.dtype.value
    if one.dtype in (Dtype.FLOAT16, Dtype.BFLOAT16):  # as their bits
        value = int(encode(np.array([value]), one.dtype).view(np.uint16)[0])
        ctype = "uint16"
    elif not one.dtype.is_float:
        value = int(value)
    return {"name": one.name, "ctype": ctype, "value": value}
