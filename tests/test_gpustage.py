"""judge/gpustage.py: every timed call is a checked call, on a device made of host memory."""

from __future__ import annotations

import functools
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fake_gpu import FakeDevice
from played_session import BYTES, PlayedSession, Values, case, gemm, right

from judge import gputime
from judge.counted import counted
from judge.gpuarena import DeviceArena
from judge.gpucheck import DeviceChecker
from judge.gpumemory import IpcMemory
from judge.gpustage import MOST_AT_ONCE, Stage
from judge.model import CallFault, Fault, Reason, Verdict

SETS = 4


@pytest.fixture(autouse=True, params=["ipc", "shared"])
def memory(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything here holds wherever the arrays lie: each test runs with both kinds of memory."""
    monkeypatch.setattr(FakeDevice, "can_share", request.param == "ipc")


Make = Callable[..., tuple[Stage, PlayedSession]]


def make(
    beta: float = 0.0, sets: int = SETS, repeatable: bool | None = None, **played: Any
) -> tuple[Stage, PlayedSession]:
    """A stage of the small GEMM, and its session."""
    spec = gemm()
    contents = gputime.contents(spec, case(spec, beta), "seed")[0]
    session = PlayedSession(spec, FakeDevice(8 << 20), **played)
    session._arena_bytes = sets * DeviceArena.span(BYTES)
    session.start()
    again = gputime.repeatable(spec, contents[0]) if repeatable is None else repeatable
    return Stage(spec, session, contents, dict(BYTES), sets, again, b""), session


def fault(act: Callable[[], object]) -> Fault:
    """The fault that an act ends in."""
    with pytest.raises(CallFault) as raised:
        act()
    return raised.value.fault


def spoil(name: str, index: Any, on_call: int = 1) -> Callable[[Values], None]:
    """A right kernel that changes one element in its n-th call."""
    calls = 0

    def solve(given: Values) -> None:
        nonlocal calls
        calls += 1
        right(given)
        if calls == on_call:
            given[name][index] += 1

    return solve


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_control_right_calls_pass(beta: float) -> None:
    """Cold, warm and batched calls on all sets, each checked, of a kernel that reads C or not."""
    stage, _ = make(beta)

    cold = stage.samples(0, cold=True, gated=True)
    warm = stage.samples(4, cold=False, gated=False)
    stage.batch(11, SETS)
    stage.check_surroundings()

    assert cold == [(500.0, "gated events")] * SETS
    assert warm == [(500.0, "events")] * SETS


def test_sets_hold_several_contents_at_different_places() -> None:
    """A kernel that remembers an address or an answer meets another one at the next call."""
    stage, session = make()
    seen: list[bytes] = []
    session._solve = lambda given: (right(given), seen.append(given["A"].tobytes()))[0]

    stage.samples(0, cold=True, gated=True)

    offsets = [
        one["offset"] for sets in session.asked[0]["sets"] for one in sets if "offset" in one
    ]
    assert len(set(offsets)) == SETS * 3
    assert len(set(seen)) == gputime.DISTINCT


@pytest.mark.parametrize("number", range(SETS))
def test_one_wrong_element_in_any_sample_is_found(number: int) -> None:
    """Which sample, which element: one of 30 in one of four calls."""
    stage, _ = make(solve=spoil("C", (5, 3), number + 1))

    found = fault(lambda: stage.samples(0, cold=True, gated=True))

    assert (found.verdict, found.reason) == (Verdict.WA, Reason.MISMATCH)
    assert "1 of 30 elements of C wrong in a timed call of normal,M=6,N=5,K=7" in found.message
    assert found.message.endswith("the first at 28 (row-major)")


def test_a_call_that_does_nothing_is_found() -> None:
    """What an earlier call left is gone before the next one on the same set."""
    stage, session = make()
    stage.samples(0, cold=True, gated=True)

    session._solve = lambda given: None
    found = fault(lambda: stage.samples(SETS, cold=True, gated=True))

    assert found.reason is Reason.MISMATCH


def test_a_wrong_batch_is_found() -> None:
    """Work left out of a long batch leaves the last calls' outputs wrong."""
    for beta, calls in ((0.0, 11), (1.0, SETS)):
        stage, _ = make(beta, solve=spoil("C", (0, 0), calls))

        found = fault(lambda stage=stage, calls=calls: stage.batch(calls, SETS))

        assert found.message.endswith("the first at 0 (row-major)")


def test_what_cannot_be_repeated_is_not_checked_after_repeats() -> None:
    """C = A B + C applied twice is another matrix: only one call a set can be held against it."""
    stage, _ = make(1.0)

    stage.batch(2 * SETS, SETS)  # right, though C holds more than one call's sum
    assert "elements of C wrong" in fault(lambda: stage.check(0)).message


def test_a_warm_call_repeats_only_what_can_be_repeated() -> None:
    """The untimed call before fills the cache; with beta = 1 it would change the answer."""
    for beta, before in ((0.0, 1), (1.0, 0)):
        stage, session = make(beta)

        stage.samples(0, cold=False, gated=True)
        stage.samples(0, cold=True, gated=True)
        stage.sample(0, cold=False, gated=True, nothing=True)

        assert [one["before"] for one in session.asked] == [before, 0, 0]


@pytest.mark.parametrize("name", ["A", "B"])
def test_a_modified_input_is_found(name: str) -> None:
    """After all samples, in any of the sets; C may change."""
    stage, _ = make(solve=spoil(name, (0, 0), 3))
    stage._sample(range(SETS), True, True, False)

    found = fault(stage.check_surroundings)

    assert found.reason is Reason.INPUT_MODIFIED
    assert found.message == f"{name}, an input, was modified in a timed call"


def test_a_written_guard_is_found() -> None:
    """One byte past an array, in the last set."""
    stage, session = make()
    assert session.arena is not None
    stage.samples(0, cold=True, gated=True)
    last = stage._layouts[-1].extents["B"]
    session.bytes_at(last.end, 1)[0] = 0

    found = fault(stage.check_surroundings)

    assert found.reason is Reason.GUARD_OVERWRITTEN
    assert found.message == "bytes between B and C were written in a timed call"


@pytest.mark.parametrize("us", [0.0, -3.0, float("nan"), float("inf"), "1", None, True, 7, [1.0]])
def test_an_impossible_time_is_refused(us: Any) -> None:
    """A time is a positive finite number, whatever the submission's process says."""
    stage, _ = make(claim=lambda message: us)

    found = fault(lambda: stage.samples(0, cold=True, gated=True))

    assert found.verdict is Verdict.RE
    assert "by the clock in its own process" in found.message


@pytest.mark.parametrize("method", ["by hand", "\x1b[2J", 3, None, ["events"], False])
def test_an_unknown_method_is_refused(method: Any) -> None:
    """The method is printed and kept: only those there are."""
    stage, _ = make(method=lambda gated: method)

    assert fault(lambda: stage.sample(0, cold=True, gated=True)).verdict is Verdict.RE


def test_only_a_gate_may_give_up() -> None:
    """No sample comes of a gate that gave up; without a gate, none would mean to wait for ever."""
    stage, _ = make(method=lambda gated: "")

    assert stage.sample(0, cold=True, gated=True)[1] == ""
    assert fault(lambda: stage.sample(0, cold=True, gated=False)).verdict is Verdict.RE


@pytest.mark.parametrize("count", [0, 1, SETS + 1])
def test_as_many_times_as_calls(count: int) -> None:
    """A worker that answers with fewer or more times, or none, is not waited for."""
    stage, session = make()
    session.ask = lambda *_: {"us": [1.0] * count, "method": ["events"] * count}  # type: ignore[method-assign]

    found = fault(lambda: stage.samples(0, cold=True, gated=True))

    assert found.message == f"{SETS} timed calls gave {counted(count, 'time')}"


def test_calls_have_their_limits() -> None:
    """A second each in samples; a batch of many short calls has no more than a few long ones."""
    stage, session = make()

    stage.samples(0, cold=True, gated=True)
    stage.batch(3, 3)
    stage.batch(1000, SETS)

    assert session.limits == [SETS, 3, MOST_AT_ONCE]


def test_only_so_many_samples_at_once() -> None:
    """Between two checks lie at most MOST_AT_ONCE samples, on as many sets."""
    stage, session = make(sets=20)

    assert len(stage.samples(0, cold=True, gated=True)) == MOST_AT_ONCE
    assert len(session.asked[0]["sets"]) == MOST_AT_ONCE


def test_the_worker_is_told_of_the_arena_only() -> None:
    """Right answers and pristine inputs lie outside what the worker maps."""
    stage, session = make()
    assert session.arena is not None
    memory = session.arena.memory
    start = memory.address if isinstance(memory, IpcMemory) else 0  # a file is no device memory
    end = start + memory.capacity

    kept = [
        int(one)
        for each in stage._kept
        for group in (each.pristine, each.expected, each.allowed)
        for one in group.values()
    ]

    assert len(kept) == gputime.DISTINCT * 5
    assert all(not start <= one < end for one in kept)


def test_everything_is_given_back() -> None:
    """A closed stage leaves the arena, and a closed session nothing."""
    stage, session = make()

    stage.close()
    left = session.memory.alive
    session.close()

    assert (left, session.memory.alive) == (1 if session.memory.can_share else 0, 0)


def test_a_nan_is_never_within_what_is_allowed() -> None:
    """An element is right if it is near enough, not if it is not far."""
    stage, session = make()

    def nan(given: Values) -> None:
        right(given)
        given["C"][2, 2] = np.nan

    session._solve = nan

    assert "1 of 30" in fault(lambda: stage.samples(0, cold=True, gated=True)).message


def test_a_set_holds_another_content_from_then_on() -> None:
    """Its outputs are held against the right answer of that one."""
    spec = gemm()
    (content, *_) = gputime.contents(spec, case(spec, 0.0), "seed")[1]
    stage, session = make()
    stage.samples(0, cold=True, gated=True)
    seen: list[bytes] = []
    session._solve = lambda given: (right(given), seen.append(given["A"].tobytes()))[0]

    stage.hold(1, content)
    stage.samples(0, cold=True, gated=True)
    stage.check_surroundings()

    assert [one == content.data.arrays["A"].tobytes() for one in seen] == [
        False,
        True,
        False,
        False,
    ]


def test_a_set_is_checked_as_often_as_is_asked() -> None:
    """A message with one call costs the same check as one with three."""
    stage, session = make(solve=spoil("C", (2, 2), 3))

    stage.outside([3], 1, [3, 3, 3])
    assert len(session.asked[-1]["sets"]) == 1
    assert "1 of 30" in fault(lambda: stage.outside([0, 1], 2, [0, 1])).message


def test_a_checker_gives_its_memory_back() -> None:
    """What it counts in is the one thing that it holds."""
    device = FakeDevice(1 << 20)
    checker = DeviceChecker(device.as_device(), b"")
    held = device.alive

    checker.close()

    assert (held, device.alive) == (1, 0)


def test_a_closed_stage_is_gone_at_once() -> None:
    """Not when memory is cleaned up some time: what it holds must go before its device does."""
    gc.disable()
    try:
        stage, _ = make()
        stage.new_time = functools.partial(lambda stage, us: None, stage)
        left = weakref.ref(stage)
        stage.close()
        del stage
        assert left() is None
    finally:
        gc.enable()
