"""judge/gpusession.py: outcomes of calls, with the worker's part played by a few lines of Python.

The worker only says things; what it would have done to the arrays, the test does to the memory of
the fake device when the judge reads it back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_gpu import FakeDevice
from stand_in import READY, write_worker
from workshop import data, right, spec

from judge import gpusession, gpustage, gpustart
from judge.confine import MIB
from judge.gpumemory import SharedMemory
from judge.gpusession import Session
from judge.gpuworker import _METHODS, BROKEN
from judge.model import Array, Build, CallData, CallFault, KernelUse, Outcome, Reason, Verdict
from judge.program import Program

PROGRAM = gpustart.program
KERNEL = KernelUse("add(float)", "_Z3addf", (0, 0, 0), (0, 0, 0), 0, 0)
NO_IPC = (
    "buffers by shared memory: CUDA IPC is not available here "
    "(cuIpcGetMemHandle failed: operation not supported)"
)
LAUNCH = {
    "kernel": "_Z3addf",
    "grid": [1, 1, 1],
    "block": [15, 1, 1],
    "shared_bytes": 0,
    "error": 0,
    "count": 1,
}


def answer(**changed: Any) -> str:
    """The line by which a worker returns, with these fields changed."""
    told = {"error": 0, "seconds": 0.25, "launches": [LAUNCH], "refused_bytes": 0, **changed}
    return f"send({{'returned': n, **{told!r}}})"


class Desk:
    """Makes sessions on one fake device."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.device = FakeDevice(65 << 20)
        self.sessions: list[Session] = []
        self._folder, self._patch = folder, patch
        download = SharedMemory.download

        def read(memory: SharedMemory, offset: int, size_bytes: int) -> Array:
            self.device.before_download()
            return download(memory, offset, size_bytes)

        patch.setattr(SharedMemory, "download", read)

    def session(self, on_call: str, seconds: float = 5.0, start: str = READY) -> Session:
        """A session whose worker runs these lines for each message."""
        worker = write_worker(self._folder, on_call, start)

        def played(*given: Any) -> Program:
            return replace(PROGRAM(*given), worker=worker, readable=(worker,))

        self._patch.setattr(gpustart, "program", played)
        folder = self._folder
        build = Build(
            folder / "s.so",
            folder / "s.cu",
            0,
            False,
            "",
            cubin=folder / "s.cubin",
            kernels=(KERNEL,),
        )
        self.sessions.append(Session(build, spec(seconds), self.device.as_device(), ("/lib",)))
        return self.sessions[-1]

    def effect(self, session: Session, act: Callable[[dict[str, Any]], None]) -> None:
        """What the worker would do: `act` on views of A and C, when the judge reads back."""

        def apply() -> None:
            assert session._layout is not None
            act(
                {
                    name: self.bytes_at(session, one.offset, one.bytes).view(np.float32)
                    for name, one in session._layout.extents.items()
                }
            )

        self.device.before_download = apply

    def bytes_at(self, session: Session, offset: int, size_bytes: int) -> Array:
        """A view of a session's memory, as the judge will read it."""
        assert session.arena is not None
        memory = session.arena.memory
        if isinstance(memory, SharedMemory):
            return memory._file.bytes[offset : offset + size_bytes]
        return self.device.bytes_at(memory.address + offset, size_bytes)


@pytest.fixture
def desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Desk]:
    """A desk at a device that shares its memory or does not; its sessions are closed afterwards."""
    made = Desk(tmp_path, monkeypatch)
    made.device.can_share = getattr(request, "param", "ipc") == "ipc"
    yield made
    for session in made.sessions:
        session.close()


with_both_memories = pytest.mark.parametrize("desk", ["ipc", "shared"], indirect=True)


def add(views: dict[str, Any]) -> None:
    """C = A + 0.5."""
    views["C"][:] = views["A"] + np.float32(0.5)


def call(session: Session, given: CallData | None = None, again: bool = False) -> Outcome:
    """One call."""
    return session.call(given or data(), schedule=0, same_addresses=again)


@with_both_memories
def test_control_a_right_call_comes_back_right(desk: Desk) -> None:
    """Several calls of one worker, of changing sizes."""
    session = desk.session(answer())
    desk.effect(session, add)

    for number, (m, n) in enumerate([(3, 5), (3, 5), (1, 1), (61, 67)]):
        given = data(m, n, number)

        outcome = call(session, given, again=number == 1)

        assert right(given, outcome), (m, n, outcome)
        assert outcome.seconds == 0.25
        assert outcome.notes == (() if desk.device.can_share else (NO_IPC,))


@with_both_memories
def test_control_a_worker_that_only_says_so_is_wrong(desk: Desk) -> None:
    """Returned, and nothing done: the output is the judge's poison."""
    outcome = call(desk.session(answer()))

    assert outcome.returned
    assert np.isnan(outcome.outputs["C"]).all()


@with_both_memories
def test_the_second_call_of_a_case_has_the_same_addresses(desk: Desk) -> None:
    """And other content; without being asked for, addresses change."""
    session = desk.session("print(*[a['offset'] for a in message['arguments'][:2]])\n" + answer())
    places = set()
    for number in range(12):
        first = call(session, data(3, 5, 0)).printed
        second = call(session, data(3, 5, 1), again=True).printed
        assert first == second, number
        places.add(first)

    assert len(places) > 1


def test_the_worker_is_told_offsets_and_numbers(desk: Desk) -> None:
    """No address and no content: arrays by offset, sizes and scalars by value and C type."""
    session = desk.session("print(json.dumps(message['arguments']))\n" + answer())

    a, c, m, n, s = json.loads(call(session).printed)

    assert a.keys() == c.keys() == {"name", "offset"}
    assert (m["value"], n["value"]) == (3, 5)
    assert s == {"name": "s", "ctype": "float32", "value": 0.5}


@with_both_memories
def test_what_was_written_beside_and_into_inputs_is_seen(desk: Desk) -> None:
    """Guards and inputs are looked at on the judge's side after every call."""
    session = desk.session(answer())

    def ruin(views: dict[str, Any]) -> None:
        add(views)
        views["A"][3] = 7
        layout = session._layout
        assert layout is not None
        desk.bytes_at(session, layout.extents["C"].end, 1)[0] = 0

    desk.effect(session, ruin)
    outcome = call(session)

    assert outcome.modified == ("A",)
    (said,) = outcome.overwritten
    assert re.fullmatch(
        r"1 byte past the end of C changed, the first at byte (\d+) \(flat index \d+\) of C, "
        r"which has \1 bytes",
        said,
    )


def test_a_sticky_error_ends_the_worker_and_the_next_call_has_a_new_one(desk: Desk) -> None:
    """What a lost context left is not read; the process is another one afterwards."""
    session = desk.session("print(os.getpid())\n" + answer(error=700))

    first, second = call(session), call(session)

    for outcome in (first, second):
        assert not outcome.returned
        assert outcome.outputs == {}
        assert outcome.fault is not None
        assert outcome.fault.reason is Reason.OUT_OF_BOUNDS
        assert "cudaErrorIllegalAddress (700)" in outcome.fault.message
    assert first.printed != second.printed


def test_another_error_leaves_the_worker_alive(desk: Desk) -> None:
    """An invalid value is a fault of the call, and its outputs can be looked at."""
    session = desk.session("print(os.getpid())\n" + answer(error=1))

    first, second = call(session), call(session)

    assert first.returned
    assert first.fault is not None
    assert first.fault.reason is Reason.CUDA_ERROR
    assert first.printed == second.printed


def test_a_refused_launch_is_explained(desk: Desk) -> None:
    """Though the device reports no error: kernel and limit by name."""
    refused = {**LAUNCH, "block": [64, 64, 1], "error": 9}

    outcome = call(desk.session(answer(launches=[refused])))

    assert outcome.returned
    assert outcome.fault is not None
    assert outcome.fault.reason is Reason.LAUNCH_LIMITS
    assert outcome.fault.message == (
        "add(float) was not launched: block (64, 64, 1) = 4096 threads, limit 1024"
    )


def test_an_empty_launch_is_a_note(desk: Desk) -> None:
    """No fault: the output decides."""
    outcome = call(desk.session(answer(launches=[{**LAUNCH, "grid": [0, 1, 1], "error": 9}])))

    assert outcome.fault is None
    assert outcome.notes == ("add(float) was launched with an empty grid or block and did nothing",)


def test_refused_memory_is_a_memory_limit(desk: Desk) -> None:
    """It goes before the errors that follow from it."""
    outcome = call(desk.session(answer(refused_bytes=1 << 40, error=1)))

    assert outcome.fault is not None
    assert (outcome.fault.verdict, outcome.fault.reason) == (Verdict.MLE, Reason.MEMORY)
    assert outcome.fault.message == (
        f"cudaMalloc of {1 << 40} bytes: over the limit of {128 * MIB} bytes"
    )


@pytest.mark.parametrize(
    ("lines", "verdict", "reason", "words"),
    [
        ("os.kill(os.getpid(), 9)", Verdict.RE, Reason.SIGNAL, "SIGKILL"),
        ("os._exit(3)", Verdict.RE, Reason.EXITED, "exit status 3 during the call"),
        (f"os._exit({BROKEN})", Verdict.RE, Reason.EXITED, "got nothing"),
        ("os.write(answers, b'hello\\n')", Verdict.RE, Reason.EXITED, "got 'hello'"),
        ("send({'returned': n})", Verdict.RE, Reason.EXITED, "expected its return"),
        ("os.close(answers); time.sleep(9)", Verdict.RE, Reason.EXITED, "expected its return"),
    ],
)
def test_a_worker_that_does_not_return(
    desk: Desk, lines: str, verdict: Verdict, reason: Reason, words: str
) -> None:
    """Its end is the fault; nothing is read; the next call starts another."""
    session = desk.session(lines)

    for _ in range(2):
        outcome = call(session)

        assert not outcome.returned
        assert outcome.outputs == {}
        assert outcome.fault is not None
        assert (outcome.fault.verdict, outcome.fault.reason) == (verdict, reason)
        assert words in outcome.fault.message


def test_a_call_that_hangs_is_stopped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the limit; the first call of a worker has a few seconds more to load its kernels."""
    monkeypatch.setattr(gpusession, "_LATE_SECONDS", 1.0)
    session = desk.session("time.sleep(0.5)\n" + answer(), seconds=0.2)

    first, second = call(session), call(session)

    assert first.returned
    assert not second.returned
    assert second.fault is not None
    assert second.fault.verdict is Verdict.TLE
    assert second.fault.message == "not done after 0.2 s"


@pytest.mark.parametrize(
    ("start", "verdict", "words"),
    [
        (
            'send({"started": 1}); send({"refused": "undefined symbol: \\x1b[2Jf"}); os._exit(1)',
            Verdict.CE,
            "cannot be loaded: undefined symbol: \\x1b[2Jf",
        ),
        ('send({"started": 1}); os._exit(0)', Verdict.RE, "exit status 0 while it was loaded"),
        ('send({"started": 1}); send({"ready": 1, "and": 2})', Verdict.RE, "while it was loaded"),
        ('send({"started": 1}); send({"refused": 7})', Verdict.RE, "while it was loaded"),
    ],
)
def test_a_submission_that_does_not_load(
    desk: Desk, start: str, verdict: Verdict, words: str
) -> None:
    """Refused by the loader, or dead in a constructor: an outcome, made harmless to print."""
    outcome = call(desk.session(answer(), start=start))

    assert not outcome.returned
    assert outcome.fault is not None
    assert outcome.fault.verdict is verdict
    assert words in outcome.fault.message


def test_prints_belong_to_their_call(desk: Desk) -> None:
    """Cleaned; the next call begins with none."""
    session = desk.session("print('\\x1b[31m', n > 0)\n" + answer())

    assert [call(session).printed for _ in range(2)] == ["\\x1b[31m True"] * 2


@pytest.mark.parametrize("seconds", [-5.0, float("nan"), float("inf"), float("-inf")])
def test_a_worker_s_seconds_are_a_claim(desk: Desk, seconds: float) -> None:
    """Whatever it says, the outcome holds a number that can be added up."""
    told = answer(seconds="?").replace("'?'", f"float('{seconds}')")
    outcome = call(desk.session(told))

    assert outcome.returned
    assert 0 <= outcome.seconds < 1e9


# --------------------------------------------------------------------------------------------------
# ask: what a timing does


def ask(session: Session) -> Any:
    """A message of another kind, with one field in its answer."""
    session.start()
    return session.ask({"do": "sample"}, {"us": list}, 2.0)


def test_ask_gives_the_answer(desk: Desk) -> None:
    """With the fields that were asked for."""
    assert ask(desk.session("send({'returned': n, 'error': 0, 'us': [1.5]})"))["us"] == [1.5]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("send({'returned': n, 'error': 700, 'us': []})", Reason.OUT_OF_BOUNDS),
        ("send({'returned': n, 'error': 1, 'us': []})", Reason.CUDA_ERROR),
        ("send({'returned': n, 'error': 0, 'us': 1.5})", Reason.EXITED),
        ("print('last words'); os._exit(3)", Reason.EXITED),
    ],
)
def test_ask_raises_what_goes_wrong(desk: Desk, lines: str, reason: Reason) -> None:
    """An error, or no answer, is a fault of the submission."""
    with pytest.raises(CallFault) as raised:
        ask(desk.session(lines))

    assert raised.value.fault.reason is reason
    assert ("last words" in raised.value.fault.details) == ("last words" in lines)


def test_a_lost_context_ends_the_worker_of_a_timing_too(desk: Desk) -> None:
    """After a sticky error nothing more can be asked; after another one it can."""
    for error, lost in ((700, True), (1, False)):
        session = desk.session(f"send({{'returned': n, 'error': {error}, 'us': []}})")
        told = []
        for _ in range(2):
            with pytest.raises(CallFault):
                ask(session)
            told.append(session._link is None)

        session.close()

        assert told == [lost, lost]


# --------------------------------------------------------------------------------------------------
# The arena, and what the worker is started with


def test_the_arena_is_half_the_memory_limit_or_what_is_asked_for(desk: Desk) -> None:
    """Allocated once, for all workers of the session, and freed at its end."""
    session = desk.session(answer())
    call(session)
    assert session.arena is not None
    large = Session(session._build, session._spec, desk.device.as_device(), (), 80 * MIB)

    assert session.arena.memory.capacity == 64 * MIB
    assert large._arena_bytes == 80 * MIB
    session.close()
    assert desk.device.alive == 0


@with_both_memories
def test_arrays_of_more_than_half_the_memory_limit_get_a_larger_arena(desk: Desk) -> None:
    """It grows once, with a new worker, and stays."""
    desk.device.memory = np.zeros(150 << 20, np.uint8)
    session = desk.session("print(os.getpid())\n" + answer())
    desk.effect(session, add)
    workers = []
    for m, n in ((3, 5), (4096, 2200), (4096, 2200), (1, 1)):
        outcome = call(session, data(m, n))
        assert right(data(m, n), outcome), (m, n, outcome)
        workers.append(outcome.printed)

    assert workers[1:] == [workers[1]] * 3
    assert workers[0] != workers[1]


def test_a_worker_is_told_what_it_needs_and_bounded(desk: Desk) -> None:
    """Both halves, the arena's handle, its kernels; CUDA's own memory comes on top of the limit."""
    session = desk.session(answer())
    call(session)
    assert session.arena is not None

    program = PROGRAM(session._load(), session.arena.memory, ("/lib",))

    setting = program.setting
    assert (Path(setting["library"]).name, Path(setting["cubin"]).name) == ("s.so", "s.cubin")
    assert setting["kernels"] == ["_Z3addf"]
    assert setting["memory_bytes"] == 128 * MIB
    assert program.bounds.memory_bytes == (8192 + 128) * MIB
    assert program.environment["LD_LIBRARY_PATH"] == "/lib"


def test_every_method_of_a_sample_is_known_to_both_sides() -> None:
    """The judge refuses a method it does not know, so the worker's list must be its own."""
    assert {*gpustage._METHODS, ""} == set(_METHODS.values())
