"""Notes of the runtime: which are believed, and what people read."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from judge.faults import Reader, by_signal
from judge.model import Fault, Place, Reason, Verdict
from judge.notes import MOST_NOTES, Note, parse
from judge.symbols import Symbols

SOURCE = Path("/nowhere/gemm.cu")
WHERE = {"kernel": "gemm", "block": [2, 0, 0], "thread": [3, 1, 0], "host": 0}


def note(**fields: Any) -> Note:
    """A note as the runtime would send it."""
    (one,) = parse(json.dumps(fields).encode() + b"\n")
    return one


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """A reader for a library that is not there, so that lines come from notes alone."""
    return Reader(Symbols(tmp_path / "none.so", SOURCE), {"A": ((61, 53), 2)})


def death(reader: Reader, **fields: Any) -> Fault:
    """The fault of a worker that left this note."""
    fault = reader.death([note(**fields)])
    assert fault is not None
    return fault


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"no json",
        b"[]",
        b"3",
        b"{}",
        b'{"kind": 3}',
        b'{"kind": ""}',
        b'{"kind": "launch", "line": "3"}',
        b'{"kind": "launch", "line": true}',
        b'{"kind": "launch", "line": 3.5}',
        b'{"kind": "fault", "block": [1, 2]}',
        b'{"kind": "fault", "block": [1, 2, "3"]}',
        b'{"kind": "fault", "kernel": ["k"]}',
        b'{"kind": "fault", "kernel": "k"',
        b"[" * 100000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_note_is_dropped(line: bytes) -> None:
    """A malformed line has no effect, and the next line is read."""
    notes = parse(line + b'\n{"kind":"signal","signal":6}\n')

    assert [Note("signal", signal=6)] == notes


def test_unknown_fields_are_ignored() -> None:
    """A newer runtime may say more."""
    assert Note("launch", line=3) == note(kind="launch", line=3, colour="red")


def test_only_so_many_notes_are_read() -> None:
    """A flood of notes is cut."""
    assert len(parse(b'{"kind":"error"}\n' * 1000)) == MOST_NOTES


def test_text_of_a_note_is_made_printable() -> None:
    """Control bytes in a kernel's name do not reach a terminal."""
    assert note(kind="launch", kernel="k\x1b[31m\n").kernel == "k\\x1b[31m\\n"


def test_read_past_the_end_names_thread_byte_and_element(reader: Reader) -> None:
    """The sentence for the commonest mistake at a ragged edge."""
    fault = death(
        reader,
        kind="fault",
        access="read",
        address="0x7f",
        buffer="A",
        offset=6466,
        bytes=6466,
        **WHERE,
    )

    assert (fault.verdict, fault.reason) == (Verdict.RE, Reason.OUT_OF_BOUNDS)
    assert fault.message == (
        "thread (3,1,0) of block (2,0,0) of gemm "
        "reads at byte 6466 of A, which has 6466 bytes: just past its end"
    )
    assert fault.details == ("that is A[61][0], and A is 61 x 53",)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"buffer": "A", "offset": -2, "bytes": 9},
            "writes at byte -2 of A, which has 9 bytes: 2 bytes before its start",
        ),
        ({"buffer": "null", "address": "0x8"}, "writes through a null pointer (address 0x8)"),
        ({"buffer": "", "address": "0xabc"}, "writes address 0xabc, where no buffer is"),
        (
            {"buffer": "freed cudaMalloc #2", "offset": 4, "bytes": 64},
            "writes at byte 4 of freed cudaMalloc #2, which has 64 bytes",
        ),
    ],
)
def test_other_bad_addresses(reader: Reader, fields: dict[str, Any], said: str) -> None:
    """Before the start, null, nowhere, freed."""
    fault = death(reader, kind="fault", access="write", **fields, **WHERE)

    assert fault.message == f"thread (3,1,0) of block (2,0,0) of gemm {said}"


def test_fault_in_host_code_says_so(reader: Reader) -> None:
    """`solve` itself is no CUDA thread."""
    fault = death(reader, kind="fault", access="read", buffer="null", address="0x0", host=1)

    assert fault.message == "host code reads through a null pointer (address 0x0)"


def test_stack_overflow_has_its_own_reason(reader: Reader) -> None:
    """A fault in a stack's guard page is no out-of-bounds access of a buffer."""
    assert death(reader, kind="fault", buffer="stack", **WHERE).reason is Reason.STACK_OVERFLOW


def test_last_fault_decides_and_earlier_errors_are_details(reader: Reader) -> None:
    """A failed launch before a crash is worth telling beside it."""
    notes = [
        note(kind="launch", kernel="k", message="4096 threads, limit 1024"),
        note(kind="fault", access="read", buffer="null", address="0x0", host=1),
    ]
    fault = reader.death(notes)

    assert fault is not None
    assert fault.details == ("k was not launched: 4096 threads, limit 1024",)


def test_no_fault_note_no_fault(reader: Reader) -> None:
    """Without a note the way the process ended decides."""
    assert reader.death([note(kind="error", error=1)]) is None


def test_bad_launch_is_a_fault_with_its_line(reader: Reader) -> None:
    """A launch beyond the limits is a runtime error even if CUDA's error was read and forgotten."""
    bad = note(kind="launch", error=9, kernel="k", line=31, message="4096 threads, limit 1024")

    fault = reader.call([bad], 0)

    assert fault == Fault(
        Verdict.RE,
        Reason.LAUNCH_LIMITS,
        "k was not launched: 4096 threads, limit 1024",
        Place(str(SOURCE), 31),
    )


def test_empty_grid_is_only_remarked(reader: Reader) -> None:
    """A grid of no blocks is CUDA's error 9 too, but many right programs launch one."""
    empty = note(kind="launch", error=9, kernel="k", line=31, empty=1)

    assert reader.call([empty], 0) is None
    assert reader.sentences([empty]) == (
        "k was launched with an empty grid or block and did nothing (/nowhere/gemm.cu:31)",
    )


def test_cudamalloc_beyond_the_limit_is_a_memory_fault(reader: Reader) -> None:
    """The sentence names what was asked for, the limit and what was taken."""
    fault = reader.call([note(kind="memory", asked=100, limit=64, in_use=32)], 2)

    assert fault is not None
    assert (fault.verdict, fault.reason) == (Verdict.MLE, Reason.MEMORY)
    assert "100 bytes" in fault.message
    assert "64 bytes" in fault.message


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("barrier_divergence", Reason.BARRIER_DIVERGENCE),
        ("deadlock", Reason.DEADLOCK),
    ],
)
def test_barrier_faults(reader: Reader, reason: str, expected: Reason) -> None:
    """Both lines of a divergent barrier are told."""
    fields = {"kernel": "k", "block": [0, 0, 0], "line": 7, "other_line": 9, "message": "m"}

    fault = reader.call([note(kind="barrier", reason=reason, **fields)], 719)

    assert fault is not None
    assert (expected, Place(str(SOURCE), 7)) == (fault.reason, fault.place)
    assert fault.details == ("the other threads: /nowhere/gemm.cu:9",)


def test_misalignment_has_its_own_reason(reader: Reader) -> None:
    """CUDA's error 716."""
    fault = reader.call([note(kind="error", error=716, name="cudaErrorMisalignedAddress")], 716)

    assert fault is not None
    assert fault.reason is Reason.MISALIGNED


def test_error_that_was_handled_is_only_remarked(reader: Reader) -> None:
    """An error the submission read and cleared does not decide a verdict."""
    handled = note(kind="error", error=1, name="cudaErrorInvalidValue", message="m", line=4)

    assert reader.call([handled], 0) is None
    assert reader.sentences([handled]) == ("cudaErrorInvalidValue: m (/nowhere/gemm.cu:4)",)


def test_error_without_a_note_is_a_fault(reader: Reader) -> None:
    """What CUDA says at the end counts even if the runtime explained nothing."""
    fault = reader.call([], 700)

    assert fault is not None
    assert fault.reason is Reason.CUDA_ERROR
    assert "700" in fault.message


def test_quiet_call_has_no_fault(reader: Reader) -> None:
    """No notes and no error: nothing to say."""
    assert reader.call([], 0) is None
    assert reader.sentences([]) == ()


def test_stopped_says_where_it_was(reader: Reader) -> None:
    """A call that ran out of time says in which thread it was then."""
    text, _ = reader.stopped([note(kind="stopped", **WHERE)])

    assert text == "it was in thread (3,1,0) of block (2,0,0) of gemm then"


def test_signal_is_named() -> None:
    """The number has a name and an explanation; an unknown number is still said."""
    assert "SIGFPE: an integer division by zero" in by_signal(8).message
    assert by_signal(63).message == "the submission ended by signal 63"


def test_place_of_an_address(tmp_path: Path) -> None:
    """addr2line finds the line of the submission, not of the header it was inlined from."""
    source = tmp_path / "user.cu"
    (tmp_path / "header.h").write_text(
        "static inline __attribute__((always_inline)) int get(volatile int* p) { return *p; }\n"
    )
    code = (
        '#include "header.h"\n#line 1 "user.cu"\n\n\n'
        'extern "C" int f(int* p) {\n  return get(p);\n}\n'
    )
    source.write_text("")
    (tmp_path / "user.cpp").write_text(code)
    library = tmp_path / "user.so"
    command = ["g++", "-O1", "-g1", "-shared", "-fPIC", "user.cpp", "-o", str(library)]
    subprocess.run(command, cwd=tmp_path, check=True)
    named = subprocess.run(["nm", str(library)], capture_output=True, text=True, check=True).stdout
    (start,) = [line.split()[0] for line in named.splitlines() if line.endswith(" T f")]
    symbols = Symbols(library, source)

    places = {symbols.place(hex(int(start, 16) + offset)) for offset in range(4)}

    assert Place(str(source), 4) in places
    assert all(place is None or place.file == str(source) for place in places)


def test_address_that_is_none_has_no_place(tmp_path: Path) -> None:
    """Text from a note reaches a command line only if it is a hexadecimal number."""
    symbols = Symbols(tmp_path / "none.so", SOURCE)

    assert symbols.place("--help") is None
    assert symbols.place("0x12") is None
