"""A session with a worker of the CPU backend: CallData in, Outcome out, whatever happens.

The judge lays a call's arrays out in shared memory, sends one message, waits within limits, and
then compares guards and inputs and copies the outputs.  What happened instead becomes a Fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from judge import ends, expr, faults, findings
from judge.arena import Arena, Slot
from judge.arguments import number
from judge.confine import MIB, Bounds
from judge.link import Link, Reply
from judge.model import (
    Argument,
    Build,
    CallData,
    Fault,
    Outcome,
    Role,
    Spec,
)
from judge.program import Program
from judge.symbols import Symbols

_TLS_BYTES = 1 << 20
"""Room for the thread-local variables of a library loaded late: its __shared__ arrays."""
_READ_ONLY, _UNWRITTEN = 1, 2
"""EMU_READ_ONLY and EMU_UNWRITTEN (judge/emu/emu.h)."""
_STACKS_BYTES = 64 * MIB
"""Stacks of 1024 CUDA threads, for each thread of the system."""


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
        layouts = {one.name: (shapes[one.name], one.dtype.itemsize) for one in self._spec.arrays}
        explain = faults.Reader(self._symbols, layouts)
        found = findings.read(reply.notes, self._symbols, layouts)
        printed = ends.printed(*self._link.printed())
        notes = explain.sentences(reply.notes)
        if reply.answer is None:
            fault = self._end(reply, explain)
            self._drop()
            return Outcome(False, fault=fault, notes=notes, printed=printed, findings=found)
        return Outcome(
            returned=True,
            outputs={
                one.name: self._arena.copy(slots[one.name], one.dtype, shapes[one.name])
                for one in self._spec.outputs
            },
            overwritten=tuple(
                sentence
                for one in self._spec.arrays
                if (sentence := self._arena.overwritten(slots[one.name], one.dtype.itemsize))
            ),
            modified=tuple(
                one.name
                for one in self._spec.arrays
                if one.role is Role.IN
                and self._arena.changed(slots[one.name], data.arrays[one.name])
            ),
            fault=ends.uses_banned(self._link, self._spec.banned)
            or explain.call(reply.notes, reply.answer["error"]),
            notes=notes,
            printed=printed,
            seconds=min(seconds, max(0.0, reply.answer["seconds"])),
            findings=found,
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
        explain = faults.Reader(self._symbols, {})
        program = self._program(self._arena.fd)
        started = ends.loaded(
            program, self._spec.banned, lambda reply, when: self._end(reply, explain, when)
        )
        if isinstance(started, Outcome):
            return started
        self._link = started
        return None

    def _program(self, arena: int) -> Program:
        """The worker of this session; `arena` is the descriptor of the shared memory."""
        stacks = _STACKS_BYTES * (self._os_threads + 1)
        return Program(
            worker=Path(__file__).with_name("worker.py"),
            setting={
                "runtime": str(self._runtime),
                "library": str(self._build.library),
                "arena": arena,
                "memory_bytes": self._memory_bytes,
                "os_threads": self._os_threads,
            },
            bounds=Bounds(
                memory_bytes=self._memory_bytes + stacks,
                # stacks and heaps are asked for whole and used in part
                data_bytes=4 * (self._memory_bytes + stacks) + 1024 * MIB,
                processes=4,
                file_bytes=0,
            ),
            environment={"GLIBC_TUNABLES": f"glibc.rtld.optional_static_tls={_TLS_BYTES}"},
            pass_fds=(arena,),
            readable=(self._runtime, self._build.library),
        )

    def _end(self, reply: Reply, explain: faults.Reader, when: str = "during the call") -> Fault:
        """Why there was no answer."""
        told, stopped = explain.death(reply.notes), explain.stopped(reply.notes)
        return ends.fault(reply, self._spec.limits, when, told, stopped)

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
        """Lay the arrays of a call out in the arena: filled, or poisoned."""
        slots = arena.lay_out(
            {
                one.name: int(np.prod(shapes[one.name], dtype=np.int64)) * one.dtype.itemsize
                for one in self._spec.arrays
            }
        )
        for one in self._spec.arrays:
            content = data.before(one)
            if content is None:
                arena.poison(slots[one.name], one.dtype)
            else:
                arena.fill(slots[one.name], content)
        return slots


def _describe(one: Argument, slots: Mapping[str, Slot], data: CallData) -> dict[str, Any]:
    """One argument of `solve` as the worker is told of it."""
    if one.is_array:
        slot, poisoned = slots[one.name], data.before(one) is None
        return {
            "name": one.name,
            "slot": slot.offset,
            "slot_bytes": slot.size,
            "bytes": slot.bytes,
            "access": _READ_ONLY if one.role is Role.IN else _UNWRITTEN * poisoned,
        }
    return number(one, data)
