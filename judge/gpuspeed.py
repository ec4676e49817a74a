"""How fast a right submission is: its timed sizes, its kernels, the card before and after.

Called only for a submission that was accepted; what is wrong in a timed call takes that back.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from judge import cudaerrors, expr, gpubuild, gpunew, gputime, peaks, smi, timing
from judge import spec as specs
from judge.gpuarena import DeviceArena
from judge.gpudevice import Device
from judge.gpukept import Content
from judge.gpusession import Session
from judge.gpustage import MOST_SETS, Stage
from judge.model import Build, CallFault, Case, Dtype, KernelUse, Peaks, Spec, Speed, TimedCase
from judge.occupancy import occupancy

_ATTRIBUTES: Mapping[str, type] = {"attributes": list}
_CALL: Mapping[str, type] = {"seconds": float, "launches": list, "refused_bytes": int}
_SECONDS = 60.0

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Prepared:
    """A size to be timed with its contents, made once for any number of submissions.

    new: contents that a worker does not see before it is timed on them
    """

    case: Case
    contents: tuple[Content, ...]
    repeatable: bool
    new: tuple[Content, ...] = ()


def prepare(spec: Spec, case: Case, seed: str) -> Prepared:
    """Inputs and right answers of one timed size."""
    contents, new = gputime.contents(spec, case, seed)
    return Prepared(case, tuple(contents), gputime.repeatable(spec, contents[0]), tuple(new))


def measure(
    spec: Spec,
    build: Build,
    prepared: Sequence[Prepared],
    device: Device,
    libraries: Sequence[str],
    tell: Tell,
) -> Speed:
    """Time a build at each size, in a fresh worker each.

    Raises CallFault if a timed call is not right, JudgeError if we are broken.
    """
    best = _peaks(spec, device)
    before = smi.state()
    timed: list[TimedCase] = []
    kernels: tuple[KernelUse, ...] = ()
    for one in prepared:
        with staged(spec, build, one, device, libraries) as (session, stage):
            if not kernels:
                kernels = _kernels(session, stage, build)
            timed.append(
                gputime.time_case(spec, one.case, stage, floor(spec, one.case, best), tell)
            )
    return Speed(tuple(timed), kernels, best, before, smi.state())


def floor(spec: Spec, case: Case, best: Peaks) -> float:
    """Microseconds the device needs at best for a case."""
    moved, done = (float(expr.sizes(text, case.sizes)) for text in (spec.bytes, spec.work))
    return timing.floor_us(moved, done, best.bytes_per_s, best.operations_per_s)


@contextmanager
def staged(
    spec: Spec, build: Build, prepared: Prepared, device: Device, libraries: Sequence[str]
) -> Iterator[tuple[Session, Stage]]:
    """A session with a case staged in its arena.  Raises CallFault if it does not load."""
    sizes = {
        one.name: int(np.prod(specs.shape(one, prepared.case.sizes))) * one.dtype.itemsize
        for one in spec.arrays
    }
    # Enough copies that none is in the cache when its turn comes again.
    cache = 2 * device.attributes()["l2_cache_size"]
    sets = max(len(prepared.contents), min(MOST_SETS, -(-cache // sum(sizes.values())) + 1))
    arena_bytes = sets * DeviceArena.span(sizes)
    with Session(build, spec, device, libraries, arena_bytes) as session:
        refusal = session.start()
        if refusal is not None and refusal.fault is not None:
            raise CallFault(refusal.fault)
        own = gpubuild.own_kernels(device.capability)
        stage = Stage(spec, session, prepared.contents, sizes, sets, prepared.repeatable, own)

        @contextmanager
        def reopen() -> Iterator[Stage]:
            with staged(spec, build, prepared, device, libraries) as (_, fresh):
                yield fresh

        stage.new_time = functools.partial(gpunew.measure, stage, prepared.new, reopen)
        try:
            yield session, stage
        finally:
            stage.close()


def _peaks(spec: Spec, device: Device) -> Peaks:
    first = next(one for one in spec.arrays)
    rules = [rule.accumulate for rule in spec.tolerance.values()]
    accumulate = rules[0] if rules else Dtype.FLOAT32
    return peaks.peaks(device.capability, device.attributes(), first.dtype, accumulate)


def _kernels(session: Session, stage: Stage, build: Build) -> tuple[KernelUse, ...]:
    """One call's launches, with what each kernel takes and how many of its blocks fit."""
    answer = session.ask({"do": "call", "arguments": stage.arguments(0)}, _CALL, _SECONDS)
    used = cudaerrors.launches(answer["launches"], build.kernels)
    told = session.ask({"do": "attributes"}, _ATTRIBUTES, _SECONDS)
    symbols = [one.symbol for one in build.kernels]
    attributes = dict(zip(symbols, told["attributes"], strict=False))
    return tuple(_with_resources(one, attributes, session.attributes) for one in used)


def _with_resources(
    use: KernelUse, attributes: Mapping[str, Any], device: Mapping[str, int]
) -> KernelUse:
    took = attributes.get(use.symbol)
    if not isinstance(took, dict):
        return use
    numbers = {key: value for key, value in took.items() if type(value) is int}
    use = replace(
        use,
        registers=numbers.get("registers", 0),
        static_shared_bytes=numbers.get("shared_bytes", 0),
        local_bytes=numbers.get("local_bytes", 0),
        constant_bytes=numbers.get("constant_bytes", 0),
    )
    fit = occupancy(
        device,
        threads=max(1, int(np.prod(use.block))),
        registers=use.registers,
        shared_bytes=use.static_shared_bytes + use.dynamic_shared_bytes,
    )
    return replace(use, occupancy=fit)
