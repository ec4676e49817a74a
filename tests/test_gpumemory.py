"""judge/gpumemory.py, judge/gpustart.py: where the arrays lie where CUDA IPC works, and where not.

The worker's part is played by a few lines of Python that have a device of their own: an array.  It
does what judge/gpumapped.py does, so that what comes back is only what was copied there and back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_gpu import BASE, FakeDevice
from stand_in import READY, write_worker
from workshop import data, right, spec

from judge import gpustart
from judge.gpumemory import IpcMemory, SharedMemory
from judge.gpusession import Session
from judge.link import Lacking
from judge.model import Build, CallFault, JudgeError, Outcome, Reason, UserError, Verdict
from judge.program import Program

SIZE = 1 << 20
PROGRAM = gpustart.program
NO_IPC = "CUDA IPC is not available here (cuIpcGetMemHandle failed: operation not supported)"


@pytest.fixture
def device() -> FakeDevice:
    """A fake GPU."""
    return FakeDevice(64 << 20)


@pytest.fixture(params=["ipc", "shared"])
def memory(request: pytest.FixtureRequest, device: FakeDevice) -> Iterator[Any]:
    """Each kind."""
    device.can_share = request.param == "ipc"
    made = gpustart.memory(device.as_device(), SIZE)
    assert isinstance(made, IpcMemory if device.can_share else SharedMemory)
    yield made
    made.close()


def test_the_kind_follows_from_what_the_driver_offers(device: FakeDevice) -> None:
    """Without a handle, a file; the reason is kept, and the driver is not asked again."""
    with_ipc = gpustart.memory(device.as_device(), SIZE)
    device.can_share = False
    without = gpustart.memory(device.as_device(), SIZE)
    device.can_share = True
    after = gpustart.memory(device.as_device(), SIZE)

    assert isinstance(with_ipc, IpcMemory)
    assert isinstance(without, SharedMemory)
    assert isinstance(after, SharedMemory)
    assert device.unshared == NO_IPC
    assert device.alive == 1
    for one in (with_ipc, without, after):
        one.close()
        one.close()
    assert device.alive == 0


def test_both_kinds_hold_what_is_written(memory: Any, device: FakeDevice) -> None:
    """Filled, uploaded, or copied from a twin: it is read back, on the host and on the device."""
    twin = device.allocate(8)
    device.upload(int(twin), np.arange(4, dtype=np.int16))

    memory.fill(100, 0xCB, 1000)
    memory.upload(200, np.arange(6, dtype=np.float64).reshape(2, 3))
    memory.restore(400, np.arange(4, dtype=np.int16), int(twin))

    want = np.full(1000, 0xCB, np.uint8)
    want[100:148] = np.arange(6, dtype=np.float64).view(np.uint8)
    want[300:308] = np.arange(4, dtype=np.int16).view(np.uint8)
    assert np.array_equal(memory.download(100, 1000), want)
    for offset, size in ((100, 10), (180, 600), (400, 8)):
        address = memory.on_device(offset, size)
        assert np.array_equal(device.bytes_at(address, size), want[offset - 100 :][:size])


def test_what_was_read_is_the_judge_s_own(memory: Any) -> None:
    """A worker that writes later changes nothing that was looked at."""
    memory.fill(0, 1, 8)
    read = memory.download(0, 8)
    memory.fill(0, 2, 8)

    assert (read == 1).all()


def test_only_a_file_has_copies_to_ask_for(memory: Any, device: FakeDevice) -> None:
    """What was written since the last message, once and in as few ranges as there can be."""
    memory.fill(1000, 0, 1000)
    memory.upload(1500, np.zeros(100, np.float32))
    memory.fill(2000, 0, 10)
    memory.fill(100, 0, 10)

    first, second = memory.exchange([(1000, 1100)]), memory.exchange()

    if device.can_share:
        assert (first, second, memory.seconds(SIZE), memory.host_bytes()) == ({}, {}, 0, 0)
    else:
        assert first == {"put": [[100, 110], [1000, 2010]], "fetch": [[1000, 1100]]}
        assert second == {"put": [], "fetch": []}
        assert memory.seconds(SIZE) > 0
        assert memory.host_bytes() >= 2010 - 1000


def test_a_worker_is_told_which_it_is(device: FakeDevice) -> None:
    """A handle, or a descriptor that it inherits and the size to allocate."""
    for kind, told in (
        (IpcMemory, {"arena": BASE.to_bytes(8, "little").hex()}),
        (SharedMemory, {"capacity": SIZE}),
    ):
        memory = kind(device.as_device(), SIZE)
        program = PROGRAM(gpustart.Load({"library": "s.so"}, (), 1 << 20), memory, ("/a", "/b"))

        assert program.setting.items() >= {"library": "s.so", **told}.items()
        assert program.environment["LD_LIBRARY_PATH"] == "/a:/b"
        assert Path(np.__file__).parent.parent in program.readable
        assert program.pass_fds == ((program.setting["file"],) if "capacity" in told else ())
        memory.close()


def test_the_variable_asks_for_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """`shared` and nothing else; a slip is told, not taken for no."""
    monkeypatch.delenv(gpustart.VARIABLE, raising=False)
    assert gpustart.asked() == ""
    monkeypatch.setenv(gpustart.VARIABLE, "shared")
    assert gpustart.asked() == "JUDGE_GPU_BUFFERS=shared"
    monkeypatch.setenv(gpustart.VARIABLE, "Shared\x1b")
    with pytest.raises(UserError, match=r"^JUDGE_GPU_BUFFERS: got 'Shared.*', expected shared or"):
        gpustart.asked()


# --------------------------------------------------------------------------------------------------
# Whole calls over a file, by a worker with a device of its own

WORKER = """\
import mmap
capacity = setting.get("capacity", 0)
file = mmap.mmap(setting["file"], capacity) if capacity else None
device = bytearray(b"?") * capacity
def floats(one, size):
    return (ctypes.c_float * size).from_buffer(device, one["offset"])
"""
CALL = """\
for start, end in message.get("put", []): device[start:end] = file[start:end]
A, C, M, N, s = message.get("arguments", [{}] * 5)
if A:
    before = bytes(device)
    size = M["value"] * N["value"]
    a, c = floats(A, size), floats(C, size)
    for i in range(size): c[i] = a[i] + s["value"]
    ACT
for start, end in message.get("fetch", []): file[start:end] = device[start:end]
more = {"seconds": 0.25, "launches": [], "refused_bytes": 0} if A else {}
send({"returned": n, "error": ERROR, **more})
"""
HAS_NO_IPC = """\
if "arena" in setting:
    send({"started": 0, "lacks": "cuIpcOpenMemHandle failed: not supported"}); os._exit(1)
"""


class Desk:
    """Makes sessions whose worker is played."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, device: FakeDevice) -> None:
        self._folder, self._patch, self.device = folder, patch, device
        self.sessions: list[Session] = []
        self.started: list[Program] = []

    def session(
        self, act: str = "pass", error: int = 0, before: str = "", start: str = READY
    ) -> Session:
        """A worker that adds, then does `act`; `before` comes first in its life."""
        on_call = CALL.replace("ACT", act).replace("ERROR", str(error))
        worker = write_worker(self._folder, on_call, f"{before}{WORKER}{start}")

        def played(*given: Any) -> Program:
            program = replace(PROGRAM(*given), worker=worker, readable=(worker,))
            self.started.append(program)
            return program

        self._patch.setattr(gpustart, "program", played)
        build = Build(self._folder / "s.so", self._folder / "s.cu", 0, False, "", cubin=worker)
        self.sessions.append(Session(build, spec(), self.device.as_device(), ("/lib",)))
        return self.sessions[-1]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: FakeDevice) -> Iterator[Desk]:
    """A desk at a device whose driver shares nothing; its sessions are closed afterwards."""
    device.can_share = False
    made = Desk(tmp_path, monkeypatch, device)
    yield made
    for session in made.sessions:
        session.close()


def call(session: Session, m: int = 3, n: int = 5, round_: int = 0) -> Outcome:
    """One call."""
    return session.call(data(m, n, round_), schedule=0, same_addresses=round_ > 0)


def test_control_a_right_call_over_a_file_comes_back_right(desk: Desk) -> None:
    """Fresh inputs each time, and a note that says how they went there and why."""
    session = desk.session()

    for number, (m, n) in enumerate([(3, 5), (3, 5), (1, 1), (61, 67)]):
        outcome = call(session, m, n, number)

        assert right(data(m, n, number), outcome), (m, n, outcome)
        assert outcome.notes == (f"buffers by shared memory: {NO_IPC}",)


def test_control_an_output_that_was_not_written_is_poison(desk: Desk) -> None:
    """The judge's poison goes to the device and back: what is not written is not right."""
    outcome = call(desk.session("device[:] = bytearray(before); c[0] = 7"))

    assert outcome.returned
    assert outcome.outputs["C"].reshape(-1)[0] == 7
    assert np.isnan(outcome.outputs["C"].reshape(-1)[1:]).all()


def test_what_is_written_beside_and_into_inputs_is_seen_over_a_file(desk: Desk) -> None:
    """Guards and inputs come back from the device too, and are looked at on the judge's side."""
    outcome = call(desk.session("a[3] = 7; device[C['offset'] + 4 * size] = 0"))

    assert outcome.modified == ("A",)
    (said,) = outcome.overwritten
    assert re.fullmatch(
        r"1 byte past the end of C changed, the first at byte (\d+) \(flat index \d+\) of C, "
        r"which has \1 bytes",
        said,
    )


def test_a_worker_that_copies_nothing_back_is_wrong(desk: Desk) -> None:
    """The file then holds the poison that the judge put there."""
    session = desk.session("message['fetch'] = []")

    assert np.isnan(call(session).outputs["C"]).all()


def test_a_lost_context_over_a_file_ends_the_worker(desk: Desk) -> None:
    """As with the judge's own memory; the note is there with the fault too."""
    session = desk.session(error=700)

    first, second = call(session), call(session)

    for outcome in (first, second):
        assert not outcome.returned
        assert outcome.fault is not None
        assert outcome.fault.reason is Reason.OUT_OF_BOUNDS
        assert outcome.notes == (f"buffers by shared memory: {NO_IPC}",)
    assert len(desk.started) == 2


def test_a_worker_that_cannot_map_device_memory_gets_a_file(desk: Desk) -> None:
    """The driver gives a handle that opens nowhere else: one more start, and never again."""
    desk.device.can_share = True
    session, other = desk.session(before=HAS_NO_IPC), desk.session(before=HAS_NO_IPC)

    for each in (session, other):
        assert right(data(), call(each))

    assert [sorted({"arena", "file"} & set(one.setting)) for one in desk.started] == [
        ["arena"],
        ["file"],
        ["file"],
    ]
    reason = "CUDA IPC is not available here (cuIpcOpenMemHandle failed: not supported)"
    assert call(session).notes == (f"buffers by shared memory: {reason}",)
    assert desk.device.alive == 0


def test_a_submission_cannot_ask_for_a_file(desk: Desk) -> None:
    """After the worker's own start the word is garbage like any other."""
    desk.device.can_share = True
    start = 'send({"started": 1}); send({"lacks": "IPC"}); os._exit(0)'

    outcome = call(desk.session(start=start))

    assert outcome.fault is not None
    assert outcome.fault.verdict is Verdict.RE
    assert desk.device.unshared == ""


def test_a_worker_that_maps_neither_is_the_judge_s_trouble(desk: Desk) -> None:
    """Nothing is tried twice, and all memory is given back."""
    desk.device.can_share = True
    before = 'send({"lacks": "CUDA"}); os._exit(1)\n'
    session = desk.session(before=before)

    with pytest.raises(Lacking, match=r"^CUDA$"):
        call(session)
    session.close()
    assert len(desk.started) == 2
    assert desk.device.alive == 0


def test_an_exchange_moves_bytes_and_nothing_else(desk: Desk) -> None:
    """What timed calls are staged with, and looked at after them."""
    session = desk.session()
    session.start()
    assert session.arena is not None
    memory = session.arena.memory
    memory.fill(0, 7, 100)
    session.exchange([(0, 200)])

    assert bytes(memory.download(98, 4)) == b"\7\7??"
    broken = desk.session(error=1)
    broken.start()
    with pytest.raises(CallFault, match="cudaErrorInvalidValue"):
        broken.exchange()


def test_the_doctor_s_trial_starts_a_worker_once(desk: Desk) -> None:
    """It says why there is no IPC, or nothing where a worker maps the judge's memory."""
    desk.device.can_share = True
    device = desk.device.as_device()
    refuse = READY.replace('"ready": 1', '"refused": "no such file"')
    desk.session(start=refuse)
    assert gpustart.trial(device, ()) == ""

    desk.session(before=HAS_NO_IPC, start=refuse)
    assert "cuIpcOpenMemHandle failed" in gpustart.trial(device, ())
    assert "cuIpcOpenMemHandle failed" in gpustart.trial(device, ())
    assert len(desk.started) == 3
    assert desk.device.alive == 0
    desk.device.unshared = ""
    desk.session(before="os._exit(3)\n")
    with pytest.raises(JudgeError, match="did not start"):
        gpustart.trial(device, ())
