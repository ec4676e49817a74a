"""judge/gpuworker.py: what the worker does with each message, on a host half without a GPU."""

from __future__ import annotations

import ctypes
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from judge import gpuworker
from judge.gpumapped import Mapped
from judge.gpuworker import Worker
from judge.memfile import MemoryFile

HOST = Path(__file__).parent / "worker" / "plain_host.cpp"
ARENA = 0x7F0000000000
ARENA_BYTES = 4096
ARGUMENTS = [
    {"name": "A", "offset": 0x100},
    {"name": "N", "ctype": "int32", "value": 61},
    {"name": "s", "ctype": "float32", "value": 0.5},
]
SOLVED = "solve(7f0000000100,61,0.5)"

STDOUT = ctypes.create_string_buffer(4096)
"""A buffer for printf that lives as long as the process."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The host half, compiled."""
    folder = tmp_path_factory.mktemp("host")
    command = ["g++", "-std=c++17", "-shared", "-fPIC", str(HOST), "-o", str(folder / "host.so")]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(folder / "host.so"))
    loaded.called.restype = ctypes.c_char_p
    return loaded


@pytest.fixture
def host(library: Any) -> Any:
    """It, as if just loaded."""
    library.forget()
    for name in ("last_error", "sync_error", "copy_error", "prepare_error"):
        ctypes.c_int.in_dll(library, name).value = 0
    ctypes.c_int.in_dll(library, "method").value = 2
    ctypes.c_ulonglong.in_dll(library, "refused").value = 0
    return library


class Allocation:
    """Memory of this process, on the host here; int() is its address."""

    def __init__(self, size_bytes: int) -> None:
        self.memory = ctypes.create_string_buffer(size_bytes)

    def __int__(self) -> int:
        return ctypes.addressof(self.memory)


class Device:
    """What the worker's end of the arena asks of judge.gpudevice.Device."""

    def open_shared(self, handle: bytes) -> int:
        """The judge's memory."""
        return int.from_bytes(handle, "big")

    def allocate(self, size_bytes: int) -> Allocation:
        """Memory of this process."""
        return Allocation(size_bytes)


@pytest.fixture
def worker(host: Any, monkeypatch: pytest.MonkeyPatch) -> Worker:
    """A worker on that half, and on memory of the judge's."""
    return made(host, monkeypatch, Mapped(Device(), {"arena": ARENA.to_bytes(8, "big").hex()}))


def made(host: Any, monkeypatch: pytest.MonkeyPatch, arena: Mapped) -> Worker:
    """A worker on a host half and an arena."""
    monkeypatch.setattr(gpuworker, "_runtime", lambda half: half)

    def solve(*given: Any) -> None:
        values = [v if isinstance(v, ctypes._SimpleCData) else ctypes.c_void_p(v) for v in given]
        host.judge_entry((ctypes.c_void_p * 3)(*map(ctypes.addressof, values)))

    half = SimpleNamespace(host=host, solve=solve)
    return Worker(half, arena, 4096, 1 << 30, [{"registers": 7}])


def called(host: Any) -> list[str]:
    """What was called, in order."""
    return str(host.called().decode()).split()


def test_a_call_is_solve_and_a_synchronise(worker: Worker, host: Any) -> None:
    """Pointers are arena offsets made addresses; launches come back as they were recorded."""
    told = worker.answer({"call": 7, "arguments": ARGUMENTS})

    assert called(host) == [SOLVED, "last", "sync"]
    assert (told["returned"], told["error"], told["refused_bytes"]) == (7, 0, 0)
    assert told["seconds"] >= 0
    assert told["launches"] == [
        {
            "kernel": "_Z4gemmi",
            "grid": [4, 5, 1],
            "block": [16, 8, 1],
            "shared_bytes": 2048,
            "error": 9,
            "count": 3,
        }
    ]
    json.dumps(told)


def test_the_memory_limit_is_set_before_any_call(worker: Worker, host: Any) -> None:
    """And what was refused is told."""
    ctypes.c_ulonglong.in_dll(host, "refused").value = 1 << 40

    told = worker.answer({"call": 1, "arguments": ARGUMENTS})

    assert ctypes.c_ulonglong.in_dll(host, "limit").value == 1 << 30
    assert told["refused_bytes"] == 1 << 40


@pytest.mark.parametrize(
    ("last", "sync", "error"),
    # Errors of the call itself (below 100) are the launch recorder's; the device's come through.
    [(0, 0, 0), (0, 700, 700), (9, 0, 0), (209, 0, 209), (9, 700, 700), (209, 700, 700)],
)
def test_the_error_is_the_device_s(
    worker: Worker, host: Any, last: int, sync: int, error: int
) -> None:
    """The synchronise's answer; else what a launch left behind, if it is no refused argument."""
    ctypes.c_int.in_dll(host, "last_error").value = last
    ctypes.c_int.in_dll(host, "sync_error").value = sync

    assert worker.answer({"call": 1, "arguments": ARGUMENTS})["error"] == error


@pytest.mark.parametrize(
    ("flags", "calls"),
    [
        ({"cold": True, "gated": True, "before": 0}, ["gated", "cold", SOLVED]),
        ({"cold": False, "gated": False, "before": 0}, ["open", "warm", SOLVED]),
        (
            {"cold": False, "gated": True, "before": 1},
            [SOLVED, "last", "sync", "gated", "warm", SOLVED],
        ),
    ],
)
def test_a_sample_is_taken_on_each_set(
    worker: Worker, host: Any, flags: dict[str, Any], calls: list[str]
) -> None:
    """Flushed and gated as asked, after the calls that warm the cache; a time for each set."""
    message = {"call": 8, "do": "sample", "nothing": False, **flags, "sets": [ARGUMENTS] * 2}

    told = worker.answer(message)

    assert called(host) == ["prepare(4096)", *calls, *calls]
    assert told == {
        "returned": 8,
        "error": 0,
        "us": [12.5, 12.5],
        "method": ["gated events", "gated events"],
    }


def test_an_empty_call_is_timed_alike(worker: Worker, host: Any) -> None:
    """The overhead of the method: everything but `solve`."""
    flags = {"cold": False, "gated": True, "before": 0, "nothing": True}

    worker.answer({"call": 8, "do": "sample", **flags, "sets": [ARGUMENTS]})

    assert called(host) == ["prepare(4096)", "gated", "warm", "nothing"]


def test_a_gate_that_gave_up_has_no_method(worker: Worker, host: Any) -> None:
    """The judge then asks for plain events."""
    ctypes.c_int.in_dll(host, "method").value = -1
    flags = {"cold": False, "gated": True, "before": 0, "nothing": False}

    told = worker.answer({"call": 8, "do": "sample", **flags, "sets": [ARGUMENTS]})

    assert told["method"] == [""]


def test_a_failed_preparation_is_an_error_without_a_sample(worker: Worker, host: Any) -> None:
    """Nothing is timed on a device that has no memory for the flush."""
    ctypes.c_int.in_dll(host, "prepare_error").value = 2
    flags = {"cold": True, "gated": True, "before": 0, "nothing": False}

    told = worker.answer({"call": 8, "do": "sample", **flags, "sets": [ARGUMENTS]})

    assert told["error"] == 2
    assert called(host) == ["prepare(4096)"]


def test_a_batch_goes_round_the_sets_and_waits_once(worker: Worker, host: Any) -> None:
    """Calls back to back, the judge's clock outside."""
    other = [{"name": "A", "offset": 0x200}, *ARGUMENTS[1:]]

    told = worker.answer({"call": 9, "do": "batch", "calls": 3, "sets": [ARGUMENTS, other]})

    assert told == {"returned": 9, "error": 0}
    assert called(host) == [
        SOLVED,
        SOLVED.replace("100", "200"),
        SOLVED,
        "last",
        "sync",
    ]


def test_attributes_are_the_driver_s(worker: Worker) -> None:
    """As they were read when the kernels were loaded."""
    told = worker.answer({"call": 10, "do": "attributes"})

    assert told == {"returned": 10, "error": 0, "attributes": [{"registers": 7}]}


def test_what_solve_prints_is_out_before_the_answer(
    worker: Worker, capfd: pytest.CaptureFixture[str]
) -> None:
    """printf keeps lines in the process, and the worker ends without cleaning up."""
    libc = ctypes.CDLL(None)
    stdout = ctypes.c_void_p.in_dll(libc, "stdout")
    # As into a pipe, whatever this one is.
    libc.setvbuf(stdout, STDOUT, 0, ctypes.c_size_t(len(STDOUT)))

    worker.answer({"call": 1, "arguments": ARGUMENTS})

    assert capfd.readouterr().out == "a line of solve, no newline"


def test_the_runtime_is_the_one_the_submission_is_linked_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Found among the mapped files; a submission without one is refused when it is loaded."""
    maps = "7f00-7f01 r-xp 00000000 08:01 42   /opt/cuda/lib/libcudart.so.13.0.88\n"

    monkeypatch.setattr(Path, "read_text", lambda path: maps)
    monkeypatch.setattr(ctypes, "CDLL", lambda path: path)

    assert gpuworker._runtime(None) == "/opt/cuda/lib/libcudart.so.13.0.88"

    monkeypatch.setattr(Path, "read_text", lambda path: maps.replace("cudart", "other"))
    with pytest.raises(OSError, match=r"not linked against libcudart\.so"):
        gpuworker._runtime(None)


# --------------------------------------------------------------------------------------------------
# An arena of the worker's own, beside a file that the judge fills and looks at


@pytest.fixture
def file() -> Iterator[MemoryFile]:
    """The judge's file."""
    shared = MemoryFile(ARENA_BYTES)
    yield shared
    shared.close()


def test_bytes_go_to_the_device_before_a_call_and_come_back_after_it(
    host: Any, monkeypatch: pytest.MonkeyPatch, file: MemoryFile
) -> None:
    """What is put is there when `solve` begins; what is fetched is what it left; no other byte."""
    arena = Mapped(Device(), {"file": file.fd, "capacity": ARENA_BYTES})
    worker = made(host, monkeypatch, arena)
    file.bytes[:] = 1
    ctypes.memset(arena.address, 2, ARENA_BYTES)

    told = worker.answer(
        {"call": 7, "arguments": ARGUMENTS, "put": [[16, 32], [64, 65]], "fetch": [[8, 24]]}
    )

    solved = SOLVED.replace("7f0000000100", f"{arena.address + 0x100:x}")
    assert called(host) == ["put", "put", "sync", solved, "last", "sync", "fetch", "sync"]
    assert (told["returned"], told["error"]) == (7, 0)
    on_device = ctypes.string_at(arena.address, ARENA_BYTES)
    assert on_device == b"\2" * 16 + b"\1" * 16 + b"\2" * 32 + b"\1" + b"\2" * (ARENA_BYTES - 65)
    assert bytes(file.bytes[:32]) == b"\1" * 8 + b"\2" * 8 + b"\1" * 16


@pytest.mark.parametrize("flags", [{"do": "exchange"}, {"do": "batch", "calls": 1, "sets": []}])
def test_any_message_can_want_copies(
    host: Any, monkeypatch: pytest.MonkeyPatch, file: MemoryFile, flags: dict[str, Any]
) -> None:
    """Alone, or around a timed batch."""
    worker = made(host, monkeypatch, Mapped(Device(), {"file": file.fd, "capacity": ARENA_BYTES}))
    flags = {**flags, "sets": [ARGUMENTS]} if "sets" in flags else flags

    told = worker.answer({"call": 7, **flags, "put": [[0, 8]], "fetch": [[0, 4096]]})

    assert told == {"returned": 7, "error": 0}
    assert called(host)[0] == "put"
    assert called(host)[-2:] == ["fetch", "sync"]


def test_a_copy_that_fails_is_the_call_s_error(
    host: Any, monkeypatch: pytest.MonkeyPatch, file: MemoryFile
) -> None:
    """A lost context shows in the copy after a call, if not before."""
    worker = made(host, monkeypatch, Mapped(Device(), {"file": file.fd, "capacity": ARENA_BYTES}))
    ctypes.c_int.in_dll(host, "copy_error").value = 700

    for put, fetch in (([[0, 8]], []), ([], [[0, 8]])):
        told = worker.answer({"call": 1, "arguments": ARGUMENTS, "put": put, "fetch": fetch})
        assert told["error"] == 700


def test_without_a_file_nothing_is_copied(worker: Worker, host: Any) -> None:
    """The judge's own memory needs no copies."""
    worker.answer({"call": 7, "arguments": ARGUMENTS})

    assert not {"put", "fetch"} & set(called(host))
