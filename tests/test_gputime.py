"""judge/gputime.py: the protocol of a timing, with a worker whose clock the test turns."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fake_gpu import FakeDevice
from played_session import BYTES, Clock, PlayedSession, Values, case, gemm, right

from judge import gpukept, gpunew, gpustage, gputime, timing
from judge.gpuarena import DeviceArena
from judge.gpustage import Stage
from judge.model import CallFault, Init, JudgeError, Reason, Role, TimedCase

SETS = 4


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The judge's own clock, which only played calls turn."""
    made = Clock()
    monkeypatch.setattr(gpustage, "time", made)
    monkeypatch.setattr(gputime, "time", made)
    monkeypatch.setattr(gpunew, "time", made)
    return made


def stage_of(
    clock: Clock,
    beta: float = 0.0,
    worker: Callable[[], Callable[[Values], None]] | None = None,
    **played: Any,
) -> tuple[Stage, PlayedSession]:
    """A stage whose calls take time on this clock.

    worker: makes what `solve` does in one worker, and remembers there
    """
    spec = gemm()
    if worker is not None:
        played["solve"] = worker()
    contents = gputime.contents(spec, case(spec, beta), "seed")[0]
    session = PlayedSession(spec, FakeDevice(8 << 20), clock=clock, **played)
    session._arena_bytes = SETS * DeviceArena.span(BYTES)
    session.start()
    again = gputime.repeatable(spec, contents[0])
    stage = Stage(spec, session, contents, dict(BYTES), SETS, again, b"")
    new = gputime.contents(spec, case(spec, beta), "seed")[1]

    @contextlib.contextmanager
    def reopen() -> Iterator[Stage]:
        yield stage_of(clock, beta, worker, **played)[0]

    stage.new_time = functools.partial(gpunew.measure, stage, new, reopen)
    return stage, session


def timed(stage: Stage, beta: float = 0.0, floor_us: float = 1.0) -> TimedCase:
    """The time of the case on that stage."""
    spec = gemm()
    return gputime.time_case(spec, case(spec, beta), stage, floor_us, lambda text: None)


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_control_a_right_call_gets_its_time(clock: Clock, beta: float) -> None:
    """A kernel of 5 ms reads 5 ms, cold, warm and by the judge's own clock; nothing is doubted."""
    stage, _ = stage_of(clock, beta, us=5000.0)

    found = timed(stage, beta)

    assert (found.cold.median_us, found.warm.median_us) == (5000.0, 5000.0)
    assert found.slope_us == pytest.approx(5000.0, rel=0.01)
    assert (found.cold.cold, found.warm.cold) == (True, False)
    assert found.cold.method == "gated events"
    assert not found.cold.noisy
    assert found.overhead_us == 2.0
    assert found.doubt == ""
    assert (found.operations, found.bytes) == (2 * 6 * 5 * 7, 2 * (42 + 35 + 2 * 30))
    assert found.sizes == {"M": 6, "N": 5, "K": 7}


def test_the_stop_rule_ends_a_series(clock: Clock) -> None:
    """Twenty samples of 5 ms are 100 ms: enough; of 50 us, a thousand."""
    long, _ = stage_of(clock, us=5000.0)
    short, _ = stage_of(clock, us=50.0)

    assert timed(long).cold.samples == timing.MIN_SAMPLES
    assert timed(short).cold.samples == timing.MANY_SAMPLES


def test_noise_is_sampled_until_time_is_up(clock: Clock) -> None:
    """Samples that never settle end after ten seconds, with a number and a warning."""
    turns = iter(range(10**9))
    stage, _ = stage_of(clock, us=5000.0, claim=lambda message: 4000.0 + 2000.0 * (next(turns) % 2))
    started = clock.now

    found = timed(stage).cold

    assert found.noisy
    assert found.samples > 1000
    assert clock.now - started < 60


def test_a_gate_that_gives_up_falls_back_to_events(clock: Clock) -> None:
    """A call that waits for the device by itself is timed by plain events, gate or not."""
    stage, session = stage_of(
        clock, us=5000.0, method=lambda gated: "" if gated else "events around a synchronise"
    )

    found = timed(stage)

    assert found.cold.method == "events around a synchronise"
    assert found.cold.median_us == 5000.0
    gated = [one["gated"] for one in session.asked if one["do"] == "sample"]
    assert gated[0] is True
    assert not any(gated[1:])


def test_a_gate_that_gives_up_late_spoils_no_sample(clock: Clock) -> None:
    """Methods that took part are all named; a sample without one is no sample."""
    asked = 0

    def method(gated: bool) -> str:
        nonlocal asked
        asked += 1
        return "" if gated and asked > 113 else "gated events" if gated else "events"

    stage, _ = stage_of(clock, us=5000.0, method=method)
    found = timed(stage)

    assert found.cold.method == "gated events and events"
    assert found.warm.method == "events"


def test_a_worker_that_never_gives_a_time_is_not_waited_for(clock: Clock) -> None:
    """No gate and no time: a fault, and not a loop without an end."""
    stage, _ = stage_of(clock, us=5000.0, method=lambda gated: "")

    with pytest.raises(CallFault):
        timed(stage)


# Of the 206 calls of a timing at 5 ms: 51 to warm up, 20 cold, 40 warm, 20 + 3 for new contents, 72
# in batches.
@pytest.mark.parametrize("call", [2, 51, 60, 101, 113, 134, 206])
def test_a_wrong_element_in_any_phase_leaves_no_time(clock: Clock, call: int) -> None:
    """Warm-up, samples and batches are all checked: one wrong call of hundreds is a fault."""
    calls = 0

    def solve(given: Values) -> None:
        nonlocal calls
        calls += 1
        right(given)
        if calls == call:
            given["C"][0, 0] += 1

    stage, _ = stage_of(clock, us=5000.0, solve=solve)

    with pytest.raises(CallFault) as raised:
        timed(stage)
    assert raised.value.fault.reason is Reason.MISMATCH


def test_surroundings_are_looked_at_in_the_end(clock: Clock) -> None:
    """A kernel that is right and ruins its input in a single call gets no time."""
    calls = 0

    def solve(given: Values) -> None:
        nonlocal calls
        calls += 1
        right(given)
        if calls == 206:  # the last
            given["A"][0, 0] = 1e-7

    stage, _ = stage_of(clock, us=5000.0, solve=solve)

    with pytest.raises(CallFault) as raised:
        timed(stage)
    assert raised.value.fault.reason is Reason.INPUT_MODIFIED


def test_a_claim_below_the_judge_s_clock_is_doubted(clock: Clock) -> None:
    """The clock in the submission's process reads a fifth of what passed outside."""
    stage, _ = stage_of(
        clock, us=5000.0, claim=lambda message: 2.0 if message["nothing"] else 1000.0
    )

    found = timed(stage)

    assert "the judge's own clock saw 5000 us a call" in found.doubt


def test_a_claim_below_the_roofline_is_doubted(clock: Clock) -> None:
    """Faster than the device can move the bytes: the time stays, and so does the doubt."""
    stage, _ = stage_of(clock, us=50.0)

    assert "less than this device needs at best" in timed(stage, floor_us=100.0).doubt
    assert timed(stage, floor_us=49.0).doubt == ""


def test_one_sample_below_the_roofline_is_doubted(clock: Clock) -> None:
    """A call that was not made shows in the fastest sample, however honest the median is."""
    turns = iter(range(10**9))
    stage, _ = stage_of(
        clock, us=50.0, claim=lambda message: 1.0 if next(turns) % 500 == 499 else 50.0
    )

    assert "1 us is less than this device needs" in timed(stage, floor_us=40.0).doubt


def test_short_calls_have_no_slope(clock: Clock) -> None:
    """Below 100 us launches in a row cost what they cost: the slope would say nothing."""
    stage, session = stage_of(clock, us=50.0)

    assert timed(stage).slope_us is None
    asked = [one["do"] for one in session.asked]
    sampled = asked.index("sample", asked.index("batch"))  # after the warm-up
    batches = [one for one in session.asked[sampled:] if one["do"] == "batch"]
    assert {one["calls"] for one in batches} == {1, SETS - 1}


def test_the_warm_up_is_long_by_the_judges_clock_and_in_few_messages(clock: Clock) -> None:
    """A call of 50 us is made some thousand times, not one a message; who claims less waits no
    longer."""
    for claim in (None, lambda message: 0.001):
        played = {"claim": claim} if claim else {}
        stage, session = stage_of(clock, us=50.0, **played)
        begun = clock.now

        gated = gputime._warm_up(stage)

        assert gated
        calls = [one.get("calls", 1) for one in session.asked]
        assert sum(calls) * 50e-6 >= gputime.WARM_UP_SECONDS
        assert len(calls) < 20
        assert clock.now - begun < 2 * gputime.WARM_UP_SECONDS


def test_the_slope_is_free_of_a_batch_s_fixed_cost(clock: Clock) -> None:
    """A pipe and a synchronise of 30 ms a batch do not show in the time of a call."""
    stage, session = stage_of(clock, us=5000.0)
    ask: Callable[..., Any] = session.ask

    def slow(message: Any, *rest: Any) -> Any:
        clock.now += 0.03 * (message["do"] == "batch")
        return ask(message, *rest)

    session.ask = slow  # type: ignore[method-assign]

    assert timed(stage).slope_us == pytest.approx(5000.0, rel=0.01)


def test_work_left_for_after_the_answer_is_on_the_judge_s_clock(clock: Clock) -> None:
    """A worker that answers at once and computes while the judge looks is as slow as it is."""
    stage, session = stage_of(clock, us=0.0, claim=lambda message: 200.0)
    wrong: Callable[..., Any] = stage._checker.wrong

    def finish_first(*given: Any) -> Any:
        if session.asked[-1]["do"] == "batch":
            clock.now += 5e-3 * session.asked[-1]["calls"] / len(session.asked[-1]["sets"])
        return wrong(*given)

    stage._checker.wrong = finish_first  # type: ignore[method-assign]
    found = timed(stage)

    assert found.slope_us == pytest.approx(5000.0, rel=0.01)
    assert "the judge's own clock saw 5000 us a call" in found.doubt


def test_both_batches_of_a_slope_are_on_the_same_sets(clock: Clock) -> None:
    """What a batch costs beside its calls is the same in both, or the difference is no slope."""
    stage, session = stage_of(clock, us=7000.0)
    timed(stage)
    batches = [one for one in session.asked if one["do"] == "batch"][-6:]

    assert {len(one["sets"]) for one in batches} == {3}
    assert {one["calls"] for one in batches} == {3, 14}


def test_what_can_be_repeated_follows_from_the_scalars() -> None:
    """With beta = 0 the second call on the same arrays is right again; with 1 it is not."""
    spec = gemm()
    for beta in (0.0, 1.0):
        (first, *_), _ = gputime.contents(spec, case(spec, beta), "seed")

        assert gputime.repeatable(spec, first) is (beta == 0)


def test_an_output_that_begins_as_zeros_is_not_called_on_twice() -> None:
    """A submission may add to it; poison and old results have to be overwritten, always."""
    spec = gemm()
    for init in Init:
        signature = tuple(
            replace(one, role=Role.OUT, init=init) if one.name == "C" else one
            for one in spec.signature
        )
        out = replace(spec, signature=signature, reference={"C": "alpha * (A @ B)"})
        (first, *_), _ = gputime.contents(out, case(out, 0.0), "seed")

        assert gputime.repeatable(out, first) is (init is not Init.ZERO)


def test_contents_are_distinct_and_new() -> None:
    """Three contents, none of which the functional calls (rounds 0 and 1) have shown."""
    spec = gemm()
    found = gputime.contents(spec, case(spec, 1.0), "seed")[0]

    assert [one.data.round for one in found] == [2, 3, 4]
    assert len({one.data.arrays["A"].tobytes() for one in found}) == gputime.DISTINCT
    assert all(one.expected["C"].value.shape == (6, 5) for one in found)


@pytest.mark.parametrize(
    ("pages", "processors", "expected"),
    [(1, 16, 1), (10**9, 16, 9), (10**9, 4, 4), (10**9, None, 1), (4, 16, 2)],
)
def test_contents_are_made_side_by_side_as_memory_and_processors_allow(
    monkeypatch: pytest.MonkeyPatch, pages: int, processors: int | None, expected: int
) -> None:
    """137 elements take 4384 bytes meanwhile, and half of the memory is theirs."""
    monkeypatch.setattr("os.sysconf", {"SC_PHYS_PAGES": pages, "SC_PAGE_SIZE": 4500}.__getitem__)
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    spec = gemm()

    assert gputime.side_by_side(spec, case(spec, 0.0), 9) == expected


def test_new_contents_are_new_to_the_worker(clock: Clock) -> None:
    """Six for a small case, two for a large one; none is among those of the samples."""
    spec = gemm()
    found = gputime.contents(spec, case(spec, 1.0), "seed")[1]
    known = gputime.contents(spec, case(spec, 1.0), "seed")[0]

    assert [one.data.round for one in found] == [5, 6, 7, 8, 9, 10]
    assert {one.data.round for one in found}.isdisjoint(one.data.round for one in known)


def remembering(clock: Clock, us: float, copy_us: float) -> Callable[[Values], None]:
    """A kernel that computes in `us` what it has not seen, and copies in `copy_us` what it has."""
    seen: dict[bytes, Any] = {}

    def solve(given: Values) -> None:
        key = given["A"].tobytes() + given["B"].tobytes()
        clock.now += (copy_us if key in seen else us) * 1e-6
        if key not in seen:
            right(given)
            seen[key] = given["C"].copy()
        given["C"][:] = seen[key]

    return solve


def test_who_remembers_results_gains_nothing(clock: Clock) -> None:
    """Known inputs take 500 us, honestly measured; new ones take 9 ms, and the time is doubted."""
    stage, _ = stage_of(
        clock, us=0.0, worker=lambda: remembering(clock, 9e3, 500.0), claim=lambda message: 500.0
    )

    found = timed(stage)

    assert found.cold.median_us == 500.0
    assert "on inputs that were new to it the judge's own clock saw" in found.doubt


def test_a_forged_time_is_not_believed_for_being_short(clock: Clock) -> None:
    """Who claims 50 us, where nothing used to be looked into, for a call of 500 is found out."""
    stage, _ = stage_of(clock, us=500.0, claim=lambda message: 50.0)

    found = timed(stage)

    assert "50 us was measured in the submission's process" in found.doubt
    assert found.slope_us == pytest.approx(500.0, rel=0.01)


def test_forging_the_clock_and_skipping_repeats_gains_nothing(clock: Clock) -> None:
    """Batches on known inputs end at once, which fools the slope; new inputs tell."""
    stage, _ = stage_of(
        clock, us=0.0, worker=lambda: remembering(clock, 9e3, 1.0), claim=lambda message: 500.0
    )

    found = timed(stage)

    assert found.slope_us is not None
    assert found.slope_us < 10
    assert "on inputs that were new to it the judge's own clock saw" in found.doubt


def test_an_honest_short_call_is_not_doubted_for_what_a_message_costs(clock: Clock) -> None:
    """A pipe of 2 ms, and 20 us more on new inputs, make no doubt about 30 us."""
    stage, session = stage_of(clock, us=50.0, claim=lambda message: 30.0)
    ask: Callable[..., Any] = session.ask

    def slow(message: Any, *rest: Any) -> Any:
        clock.now += 0.002
        return ask(message, *rest)

    session.ask = slow  # type: ignore[method-assign]

    assert timed(stage).doubt == ""


def test_an_input_that_is_ruined_before_it_is_replaced_is_found(clock: Clock) -> None:
    """The sets that new contents are put in are looked at first."""
    calls = 0

    def solve(given: Values) -> None:
        nonlocal calls
        calls += 1
        right(given)
        if calls == 105:  # the last sample on the first set
            given["A"][0, 0] = 1e-7

    stage, _ = stage_of(clock, us=5000.0, solve=solve)

    with pytest.raises(CallFault) as raised:
        timed(stage)
    assert raised.value.fault.reason is Reason.INPUT_MODIFIED


def test_who_is_slow_where_a_message_is_taken_off_gains_little(clock: Clock) -> None:
    """A single call that dawdles for 50 ms would hide six of 5 ms: it is not waited for."""
    stage, session = stage_of(clock, us=5000.0, claim=lambda message: 100.0)
    ask: Callable[..., Any] = session.ask

    def dawdle(message: Any, *rest: Any) -> Any:
        clock.now += 0.05 * (message["do"] == "batch" and message["calls"] == 1)
        return ask(message, *rest)

    session.ask = dawdle  # type: ignore[method-assign]

    found = stage.new_time(100.0)

    assert found is not None
    assert found.us - found.noise_us > 4000


def test_a_busy_moment_makes_no_doubt(clock: Clock) -> None:
    """What a claim does not stand against is measured again in a fresh worker, thrice in all."""
    stage, session = stage_of(clock, us=500.0)
    ask: Callable[..., Any] = session.ask

    def busy(message: Any, *rest: Any) -> Any:
        clock.now += 0.05 * (message["do"] == "batch" and message["calls"] == SETS - 1)
        return ask(message, *rest)

    session.ask = busy  # type: ignore[method-assign]

    found = stage.new_time(500.0)

    assert found is not None
    assert found.us == pytest.approx(500.0, rel=0.05)


def test_without_room_for_another_worker_the_first_word_stands(clock: Clock) -> None:
    """A device that is too small for two arenas makes a doubt, and no error of the judge's."""
    stage, _ = stage_of(clock, us=5000.0)
    new = gputime.contents(gemm(), case(gemm(), 0.0), "seed")[1]

    def full() -> Any:
        raise JudgeError("the GPU has no 8413184 bytes left for the judge")

    found = gpunew.measure(stage, new, full, 10.0)

    assert found is not None
    assert found.us > 4000


def test_two_contents_are_needed_and_a_set_beside_them(clock: Clock) -> None:
    """With one content nothing can be divided by one call less."""
    stage, _ = stage_of(clock, us=500.0)
    (content, *_) = gputime.contents(gemm(), case(gemm(), 0.0), "seed")[1]

    def never() -> Any:
        raise AssertionError("there is nothing to try again")

    assert gpunew.measure(stage, [content], never, 500.0) is None


def test_contents_and_their_answers_are_given_back(clock: Clock) -> None:
    """Arrays, right answers and what is allowed: three inputs and two of one output."""
    device = FakeDevice(1 << 20)
    (content, *_), _ = gputime.contents(gemm(), case(gemm(), 0.0), "seed")

    kept = gpukept.keep(device.as_device(), content)
    held = device.alive
    kept.free()

    assert (held, device.alive) == (5, 0)
