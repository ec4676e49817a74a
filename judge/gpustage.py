"""Staged input sets on the GPU: many copies of a few contents, each checked on the device.

The worker sees only the arena.  Pristine inputs, right answers and what is allowed lie in memory of
the judge's own, which no handle leads to; the judge's kernels compare on the device, so that a call
that moves a hundred megabytes is checked element by element in microseconds.  Where the worker owns
the arena's memory, outputs come to the judge's device over the host first: milliseconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from judge import timing
from judge.counted import counted
from judge.gpuarena import DeviceArena, Extent, Layout
from judge.gpucheck import DeviceChecker
from judge.gpukept import Content, Kept, keep, surroundings
from judge.gpusession import Session
from judge.model import CallFault, Fault, Reason, Spec, Verdict
from judge.printable import printable

MOST_SETS = 32
MOST_AT_ONCE = 16
"""Samples between two checks."""
_METHODS = ("gated events", "events", "events around a synchronise")
"""That judge/gpuworker.py knows."""
_SAMPLE_FIELDS: dict[str, type] = {"us": list, "method": list}


NewTime = Callable[[float], "timing.Outside | None"]


def _no_new_time(claimed_us: float) -> timing.Outside | None:
    """There are no inputs that the worker has not seen."""
    return None


class Stage:
    """Sets of one case in the arena, and a session whose worker calls `solve` on them.

    new_time: given what a call is said to take, the time of one on inputs that the worker has not
              seen (judge/gpunew.py); None where there are no such
    """

    def __init__(
        self,
        spec: Spec,
        session: Session,
        contents: Sequence[Content],
        sizes: dict[str, int],
        sets: int,
        repeatable: bool,
        kernels: bytes,
    ) -> None:
        """Fill the arena.

        sizes:      bytes of each array
        sets:       how many copies, at most what the arena holds
        repeatable: whether a second call on the same arrays has the same right answer (no output is
                    read, or what is read has no weight)
        kernels:    the judge's own, compiled
        """
        self._repeatable = repeatable
        self._seconds = spec.limits.seconds_per_call
        assert session.arena is not None
        self._spec, self._session, self._arena = spec, session, session.arena
        arena, self._device = session.arena, session.device
        self._checker = DeviceChecker(self._device, kernels)
        self._kept = [keep(self._device, one) for one in contents]
        self._held = [number % len(contents) for number in range(max(1, sets))]
        self.new_time: NewTime = _no_new_time
        span = DeviceArena.span(sizes)
        self._layouts: list[Layout] = []
        for number in range(sets):
            layout = arena.lay_out(sizes, start=number * span)
            self._layouts.append(layout)
            arena.write(layout, spec.signature, self._content(number).data)
        self._session.exchange()

    def __len__(self) -> int:
        return len(self._layouts)

    def sample(
        self, number: int, *, cold: bool, gated: bool, nothing: bool = False
    ) -> tuple[float, str]:
        """One timed call on set `number` (taken round and round): us and method, a claim.

        An empty method means that the gate gave up: no sample.  A warm sample is preceded by an
        untimed call on the same set where that is repeatable.  nothing: time an empty call.
        """
        return self._sample([number], cold, gated, nothing)[0]

    def samples(self, first: int, *, cold: bool, gated: bool) -> list[tuple[float, str]]:
        """A timed call on each of the next sets, in one message, and all their outputs checked.

        The two processes take turns on the device: a turn for each sample would take longer than
        the sample.  Raises CallFault.
        """
        numbers = range(first, first + min(len(self), MOST_AT_ONCE))
        taken = self._sample(numbers, cold, gated, False)
        for number in numbers:
            self.check(number)
        return taken

    def _sample(
        self, numbers: Sequence[int], cold: bool, gated: bool, nothing: bool
    ) -> list[tuple[float, str]]:
        if not nothing:
            for number in numbers:
                self._renew(number)
        before = int(self._repeatable and not cold and not nothing)
        flags = {"cold": cold, "gated": gated, "nothing": nothing, "before": before}
        sets = [self.arguments(number) for number in numbers]
        message = {"do": "sample", **flags, "sets": sets}
        message.update(self._moves(() if nothing else numbers))
        answer = self._session.ask(message, _SAMPLE_FIELDS, self._seconds * len(sets))
        taken = list(zip(answer["us"], answer["method"], strict=False))
        for us, method in taken:
            if not _is_sample(us, method, gated):
                text = f"a timed call took {str(us)[:20]} us by the clock in its own process"
                raise CallFault(Fault(Verdict.RE, Reason.EXITED, printable(text)))
        if len(taken) != len(sets):
            text = f"{counted(len(sets), 'timed call')} gave {counted(len(taken), 'time')}"
            raise CallFault(Fault(Verdict.RE, Reason.EXITED, text))
        return taken

    def batch(self, calls: int, among: int) -> float:
        """Seconds for `calls` calls, in turns on the first `among` sets: see `outside`."""
        return self.outside(range(among), calls, range(among))

    def outside(self, numbers: Sequence[int], calls: int, checks: Sequence[int]) -> float:
        """Seconds by the judge's clock for `calls` calls, in turns on some sets, and the checks of
        some, these among them.

        The clock runs on through the checks, so that no work can be left for after the answer; what
        they cost is the same however many the calls are.  Raises CallFault.
        """
        for number in numbers:
            self._renew(number)
        self._session.exchange()
        sets = [self.arguments(number) for number in numbers]
        message = {"do": "batch", "calls": calls, "sets": sets, **self._moves(checks)}
        started = time.perf_counter()
        # Many calls are short ones: all of them take no longer than a few may.
        self._session.ask(message, {}, self._seconds * min(calls, MOST_AT_ONCE))
        for number in checks:
            self.check(number, calls_before=calls > len(numbers))
        return time.perf_counter() - started

    def hold(self, number: int, content: Content) -> None:
        """Put another content into a set, from now on."""
        self._held[number] = len(self._kept)
        self._kept.append(keep(self._device, content))
        self._arena.write(self._layout(number), self._spec.signature, content.data)

    def copy_seconds(self, numbers: Sequence[int]) -> float:
        """What the copies of a message about these sets may take."""
        return self._arena.memory.seconds(sum(extent.bytes for extent in self._outputs(numbers)))

    def check(self, number: int, *, calls_before: bool = False) -> None:
        """Every element of every output of a set.  Raises CallFault.

        After several calls on a set (calls_before) an output that a call may read is checked only
        if repeatable.
        """
        kept, layout = self._content(number), self._layout(number)
        for one in self._spec.outputs:
            if one.name in kept.pristine and calls_before and not self._repeatable:
                continue
            extent = layout.extents[one.name]
            count = extent.bytes // one.dtype.itemsize
            address = self._arena.memory.on_device(extent.offset, extent.bytes)
            expected, allowed = int(kept.expected[one.name]), int(kept.allowed[one.name])
            wrong, first = self._checker.wrong(one.dtype, address, expected, allowed, count)
            if wrong:
                message = (
                    f"{wrong} of {counted(count, 'element')} of {one.name} wrong in a timed call "
                    f"of {kept.data.case.id}, the first at {first} (row-major)"
                )
                raise CallFault(Fault(Verdict.WA, Reason.MISMATCH, message))

    def check_surroundings(self) -> None:
        """Guard bands and inputs of all sets, once after all samples.  Raises CallFault."""
        self._session.exchange([(layout.start, layout.end) for layout in self._layouts])
        for number, layout in enumerate(self._layouts):
            kept, memory = self._content(number), self._arena.memory
            found = surroundings(self._checker, memory, layout, kept, self._spec)
            if found is not None:
                raise CallFault(found)

    def close(self) -> None:
        """Free the judge's own copies, and whatever would keep this alive in a circle: what is left
        on the device must go while its context is there."""
        for kept in self._kept:
            kept.free()
        self._kept.clear()
        self._checker.close()
        self.new_time = _no_new_time

    def _content(self, number: int) -> Kept:
        return self._kept[self._held[number % len(self._held)]]

    def _layout(self, number: int) -> Layout:
        return self._layouts[number % len(self._layouts)]

    def _renew(self, number: int) -> None:
        """Give the outputs of a set their first content back, or poison them."""
        kept, layout = self._content(number), self._layout(number)
        for one in self._spec.outputs:
            twin = int(kept.pristine.get(one.name, 0))
            self._arena.write_one(layout.extents[one.name], one, kept.data.before(one), twin)

    def _moves(self, numbers: Sequence[int]) -> Mapping[str, Any]:
        """What a message says so that the worker meets what was renewed, and the outputs of these
        sets can be checked after it."""
        extents = self._outputs(numbers)
        return self._arena.memory.exchange([(extent.offset, extent.end) for extent in extents])

    def _outputs(self, numbers: Sequence[int]) -> list[Extent]:
        """Where the outputs of these sets lie."""
        held = [self._layout(number).extents for number in numbers]
        return [extents[one.name] for extents in held for one in self._spec.outputs]

    def arguments(self, number: int) -> list[dict[str, Any]]:
        """What `solve` is given for a set, as the worker is told."""
        return self._session.describe(self._layout(number), self._content(number).data)


def _is_sample(us: Any, method: Any, gated: bool) -> bool:
    """Whether a worker's claim can be a sample; none comes only of a gate, which may give up."""
    if type(us) is not float:
        return False
    return method in _METHODS and 0 < us < math.inf if method else method == "" and gated
