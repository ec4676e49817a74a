"""The emulator's runtime against small kernels, each named by a hazard (tests/emu/*.cu).

Every run is a process of its own (tests/emu/drive.py), since many of them are meant to crash it.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from judge.rewrite import rewrite

HERE = Path(__file__).resolve().parent
JUDGE = HERE.parent / "judge"
FLAGS = [
    "-std=gnu++17",
    "-O2",
    "-fPIC",
    "-shared",
    "-ftls-model=initial-exec",
    "-pthread",
    "-Wall",
    "-Wextra",
]
COMPILER = next((name for name in ("g++", "clang++") if shutil.which(name)), "")
SCHEDULES = [0, 1, 2, 3, 4, 5]

pytestmark = pytest.mark.skipif(not COMPILER, reason="needs g++ or clang++")


@dataclass(frozen=True)
class Ran:
    """What a run left: its exit code, the errors its calls returned, its buffers and notes."""

    code: int
    errors: list[int]
    buffers: dict[str, list[float]]
    notes: list[dict[str, Any]]
    addresses: list[list[int]]
    output: str

    @property
    def note(self) -> dict[str, Any]:
        """The only note."""
        assert len(self.notes) == 1, self.notes
        return self.notes[0]


class Emulator:
    """The built runtime, and the programs of tests/emu, built when they are first run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._runtime = folder / "libcuda_emu.so"
        emu = JUDGE / "emu"
        self._compile([emu / "all.cc", emu / "context_switch.S"], self._runtime, "-Werror")

    def _compile(self, sources: list[Path], target: Path, *more: str) -> None:
        include = f"-I{JUDGE / 'include'}"
        command = [COMPILER, *FLAGS, *more, include, *map(str, sources), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    @functools.cache  # noqa: B019 (one instance a session)
    def _program(self, name: str) -> Path:
        source = HERE / "emu" / f"{name}.cu"
        translated = self._folder / f"{name}.cpp"
        translated.write_text(f'#line 1 "{source}"\n{rewrite(source.read_text()).text}')
        library = self._folder / f"{name}.so"
        self._compile([translated], library, "-w")
        return library

    def start(self, name: str, **plan: Any) -> tuple[subprocess.Popen[str], Path, Path]:
        """Start a run; see drive.py for the plan."""
        library = self._program(name)
        stem = f"{name}-{time.monotonic_ns()}"
        notes, result = self._folder / f"{stem}.notes", self._folder / f"{stem}.result"
        files = {
            "runtime": str(self._runtime),
            "library": str(library),
            "notes": str(notes),
            "result": str(result),
        }
        environment = {**os.environ, "GLIBC_TUNABLES": "glibc.rtld.optional_static_tls=1000000"}
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(HERE / "emu" / "drive.py"), json.dumps(files | plan)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
        return process, notes, result

    def finish(self, started: tuple[subprocess.Popen[str], Path, Path]) -> Ran:
        """Wait for a run, 20 s at most."""
        process, notes, result = started
        try:
            output, _ = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            pytest.fail("the run did not end within 20 s")
        written = [json.loads(line) for line in notes.read_text().splitlines()]
        came = json.loads(result.read_text()) if result.exists() else {}
        empty: dict[str, Any] = {"errors": [], "buffers": {}, "addresses": []}
        fields = empty | came
        return Ran(process.returncode, notes=written, output=output, **fields)

    def run(self, name: str, **plan: Any) -> Ran:
        """Start and finish."""
        return self.finish(self.start(name, **plan))

    def right(self, name: str, **plan: Any) -> dict[str, list[float]]:
        """Run what must go well: no error, no note; returns the buffers."""
        ran = self.run(name, **plan)
        assert ran.code == 0, ran.output
        assert not any(ran.errors), ran
        assert ran.notes == []
        return ran.buffers


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Emulator:
    """One build of the runtime for all tests here."""
    return Emulator(tmp_path_factory.mktemp("emu"))


def buffer(name: str, values: list[float], read_only: bool = False) -> dict[str, Any]:
    """A float32 array for drive.py."""
    return {"name": name, "values": values, "read_only": read_only}


def zeros(name: str, count: int) -> dict[str, Any]:
    """An array to write to."""
    return buffer(name, [0.0] * count)


# ---- threads and barriers ---------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 37, 128, 300])
def test_early_exit_before_barrier(emulator: Emulator, n: int) -> None:
    """Exited threads take no part in a barrier, and no divergence is reported."""
    values = [float(i) for i in range(n)]
    expected = [v for k in range(0, n, 128) for v in reversed(values[k : k + 128])]

    plan = {"buffers": [buffer("in", values), zeros("out", n)], "numbers": [n]}
    got = emulator.right("early_exit_before_barrier", schedules=SCHEDULES, **plan)

    assert expected == got["out"]


def test_barrier_not_in_first_block(emulator: Emulator) -> None:
    """Blocks that wait may follow one that does not."""
    got = emulator.right("barrier_not_in_first_block", buffers=[zeros("out", 4)], schedules=[0, 1])

    assert got["out"] == [-1, 96, 96, 96]


def test_shared_is_fresh_per_block(emulator: Emulator) -> None:
    """Shared memory is all NaN at the start of each block."""
    got = emulator.right("shared_is_fresh_per_block", buffers=[zeros("out", 3)])

    assert got["out"] == [128, 128, 128]


def test_schedule_zero_is_forward(emulator: Emulator) -> None:
    """Schedule 0 runs threads and blocks from the first to the last."""
    buffers = [zeros("threads", 70), zeros("blocks", 5)]

    got = emulator.right("order_of_threads_and_blocks", buffers=buffers)

    assert list(range(70)) == got["threads"]
    assert got["blocks"] == [0, 70, 140, 210, 280]


def test_schedules_differ_and_repeat(emulator: Emulator) -> None:
    """A schedule is the same order each time, and another one than forward; some run backwards."""
    orders = []
    for schedule in range(1, 13):
        runs = []
        for _ in range(2):
            buffers = [zeros("threads", 70), zeros("blocks", 5)]
            plan: dict[str, Any] = {"buffers": buffers, "schedules": [schedule]}
            got = emulator.right("order_of_threads_and_blocks", **plan)
            first = got["threads"].index(min(got["threads"]))
            runs.append((first, tuple(sorted(range(5), key=got["blocks"].__getitem__))))
        assert runs[0] == runs[1], schedule
        orders.append(runs[0])
        if schedule == 6:
            break

    assert all(thread != 0 or blocks != (0, 1, 2, 3, 4) for thread, blocks in orders), orders
    assert len(set(orders)) > 3
    assert any(thread in (31, 63, 69) for thread, _ in orders), "a lane order that is reversed"


def test_threads_in_reverse_order(emulator: Emulator) -> None:
    """A scan with eleven barriers is right in every order of threads."""
    values = [float(i % 7) for i in range(1000)]
    expected = [sum(values[: i + 1]) for i in range(1000)]

    plan = {"buffers": [buffer("in", values), zeros("out", 1000)], "numbers": [1000]}
    for schedule in SCHEDULES:
        got = emulator.right("wait_for_the_other_half", schedules=[schedule], **plan)
        assert expected == got["out"], schedule


def test_voting_barriers(emulator: Emulator) -> None:
    """__syncthreads_count, _and and _or count the threads that are left, each barrier anew."""
    got = emulator.right("voting_barriers", buffers=[zeros("out", 4)], schedules=SCHEDULES)

    assert got["out"] == [33, 1, 1, 0]


def test_divergent_barrier_is_named(emulator: Emulator) -> None:
    """Threads at two barriers at once end the kernel with 719 and a note with both lines."""
    plan = {"buffers": [zeros("out", 2)], "numbers": [1], "os_threads": 1}
    ran = emulator.run("divergent_barrier_is_named", **plan)

    assert ran.errors == [719]
    note = ran.note
    assert (
        note["kind"], note["reason"], note["kernel"],
    ) == ("barrier", "barrier_divergence", "diverge")  # fmt: skip
    assert {6, 8} == {note["line"], note["other_line"]}
    assert note["block"] == [0, 0, 0]
    assert ran.buffers["out"][1] == 0, "after a sticky error nothing is launched"


# ---- warps ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["shuffles_of_every_type", "votes_matches_and_reductions"]
)  # fmt: skip
def test_warp_operations(emulator: Emulator, name: str) -> None:
    """Shuffles, votes, matches and reductions give what the programming guide defines."""
    got = emulator.right(name, buffers=[zeros("out", 32)], schedules=SCHEDULES)

    assert got["out"] == [1.0] * 32


def test_shuffle_partial_mask(emulator: Emulator) -> None:
    """A shuffle among 8 of 20 live lanes waits for those 8 only."""
    got = emulator.right("shuffle_partial_mask", buffers=[zeros("out", 32)], schedules=SCHEDULES)

    assert [28.0] * 8 + [float(i) for i in range(8, 20)] + [0.0] * 12 == got["out"]


def test_active_mask_in_a_branch(emulator: Emulator) -> None:
    """__activemask() in a branch is the lanes that took it."""
    expected = [828.0 if lane % 4 == 0 else 24.0 for lane in range(32)]

    got = emulator.right("active_mask_in_a_branch", buffers=[zeros("out", 32)], schedules=SCHEDULES)

    assert expected == got["out"]


def test_deadlock_is_named(emulator: Emulator) -> None:
    """A barrier against a shuffle is a deadlock: error 702, both lines, no hang."""
    ran = emulator.run("deadlock_is_named", buffers=[zeros("out", 64)])

    assert ran.errors == [702]
    assert ("deadlock", "stuck", {5, 6}) == (
        ran.note["reason"], ran.note["kernel"], {ran.note["line"], ran.note["other_line"]},
    )  # fmt: skip
    assert "0x00000001" in ran.note["message"], "the lane that the others wait for"


def test_mask_without_the_caller(emulator: Emulator) -> None:
    """A mask that lacks the calling lane is named with its line."""
    ran = emulator.run("mask_without_the_caller", buffers=[zeros("out", 32)])

    assert ran.errors == [719]
    assert (ran.note["kind"], ran.note["line"]) == ("error", 4)
    assert "0x0000ffff" in ran.note["message"]


# ---- waiting for others -----------------------------------------------------------------------


@pytest.mark.parametrize(("how", "expected"), [(0, 1), (1, 1), (2, 100), (3, 1)])
def test_waits_within_a_block(emulator: Emulator, how: int, expected: int) -> None:
    """A thread that polls a flag or a lock lets the thread run that sets or holds it."""
    plan = {"buffers": [zeros("out", 100)], "numbers": [how]}
    got = emulator.right("waits_within_a_block", schedules=SCHEDULES, **plan)

    assert [float(expected)] * 100 == got["out"]


@pytest.mark.parametrize("os_threads", [1, 2])
@pytest.mark.parametrize("how", [0, 1, 2])
def test_waits_for_other_blocks(emulator: Emulator, os_threads: int, how: int) -> None:
    """Blocks that wait for each other all stay resident, with their shared memory."""
    expected = [1000.0 + b for b in range(12) for _ in range(64)]
    plan = {"buffers": [zeros("out", 12 * 64)], "numbers": [how], "os_threads": os_threads}

    got = emulator.right("waits_for_other_blocks", schedules=SCHEDULES[:3], **plan)

    assert expected == got["out"]


@pytest.mark.parametrize("os_threads", [1, 2])
def test_an_endless_loop_says_where_it_is(emulator: Emulator, os_threads: int) -> None:
    """SIGTERM in a kernel gives a note with kernel, block and thread, and ends the process."""
    started = emulator.start("endless_loop", buffers=[zeros("p", 1)], os_threads=os_threads)
    time.sleep(0.7)
    started[0].send_signal(signal.SIGTERM)

    ran = emulator.finish(started)

    assert ran.code == 128 + signal.SIGTERM
    assert (
        ran.note["kind"], ran.note["kernel"], ran.note["thread"],
    ) == ("stopped", "spin", [5, 0, 0])  # fmt: skip
    assert ran.note["pc"].startswith("0x")


# ---- launches ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "error", "message"),
    [
        (0, 1, "block (64, 64, 1) = 4096 threads, limit 1024"),
        (1, 1, "block (1, 1, 65), limits (1024, 1024, 64)"),
        (2, 1, "grid (1, 70000, 1), limits (2147483647, 65535, 65535)"),
        (3, 1, "grid (0, 1, 1) is empty"),
        (4, 1, "block (0, 1, 1) is empty"),
        (5, 1, "block (4294967295, 1, 1), limit 1024"),
        (6, 1, "50176 bytes of dynamic shared memory, limit 49152 without cudaFuncSetAttribute"),
        (8, 1, "53248 bytes of static shared memory, limit 49152"),
        (9, 1, "103424 bytes of dynamic shared memory, limit 49152 without cudaFuncSetAttribute"),
        (11, 1, "233472 bytes of dynamic shared memory, limit 232448 a block"),
    ],
)
def test_launch_limits(emulator: Emulator, what: int, error: int, message: str) -> None:
    """A launch beyond the device's limits runs nothing, returns CUDA's error and says why."""
    line = 19 + what
    ran = emulator.run("launch_limits", buffers=[zeros("out", 1)], numbers=[what, 0])

    assert [error] == ran.errors
    assert ran.buffers["out"] == [0.0]
    assert ("launch", error, line) == (ran.note["kind"], ran.note["error"], ran.note["line"])
    assert ran.note["message"].startswith(message), ran.note
    assert (what == 3) == bool(ran.note.get("empty"))


@pytest.mark.parametrize("what", [0, 3, 6])
def test_a_refused_launch_is_not_sticky(emulator: Emulator, what: int) -> None:
    """After cudaGetLastError the next launch works."""
    ran = emulator.run("launch_limits", buffers=[zeros("out", 1)], numbers=[what, 1])

    assert (ran.errors, ran.buffers["out"]) == ([0], [1.0])


@pytest.mark.parametrize("what", [7, 10])
def test_shared_memory_within_the_limits(emulator: Emulator, what: int) -> None:
    """100 KB of dynamic shared memory after the opt-in, and 48 KB of static, are allowed."""
    got = emulator.right("launch_limits", buffers=[zeros("out", 1)], numbers=[what, 0])

    assert got["out"] == [1.0]


def test_argument_forms(emulator: Emulator) -> None:
    """Arguments convert as in a call, through typed, deduced and pointer launches."""
    got = emulator.right("argument_forms", buffers=[zeros("out", 5)])

    assert got["out"] == [12.0, 7.0, 5.0, 6.0, 6.0]


def test_errors_end_with_the_call(emulator: Emulator) -> None:
    """A sticky error of one call is not there in the next one, whose launches work."""
    plan = {"buffers": [zeros("out", 64)], "schedules": [0, 1, 2]}
    ran = emulator.run("deadlock_is_named", **plan)

    assert ran.errors == [702, 702, 702]
    assert len(ran.notes) == 3


# ---- memory -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "access", "name", "offset", "size"),
    [
        (0, "read", "A", 32, 28),
        (1, "write", "A", 36, 28),
        (2, "write", "A", -20000, 28),
        (3, "read", "null", 148, 0),
        (4, "write", "dynamic shared memory", 128, 128),
        (5, "write", "A", 12000000, 28),
        (6, "exec", "null", 0x1000, 0),
    ],
)
@pytest.mark.parametrize("os_threads", [1, 2])
def test_accesses_out_of_bounds(
    emulator: Emulator, what: int, access: str, name: str, offset: int, size: int, os_threads: int
) -> None:
    """A wild access names kernel, block, thread, buffer and byte, and ends the process."""
    plan = {"buffers": [buffer("A", [1.0] * 7), zeros("out", 1)], "numbers": [what]}
    ran = emulator.run("accesses_out_of_bounds", os_threads=os_threads, **plan)

    assert ran.code == 139
    note = ran.note
    assert ("fault", access, "touch", 0) == (
        note["kind"], note["access"], note["kernel"], note["host"],
    )  # fmt: skip
    assert (note["block"], note["thread"]) == ([1, 0, 0], [37, 0, 0])
    assert (name, offset, size) == (note["buffer"], note["offset"], note["bytes"])
    assert access == "exec" or note["pc"].startswith("0x")


def test_malloc_is_poisoned(emulator: Emulator) -> None:
    """cudaMalloc's memory holds NaNs."""
    got = emulator.right("device_memory", buffers=[zeros("out", 1)], numbers=[0])

    assert got["out"] == [77.0]


def test_overrun_of_a_malloc_is_named(emulator: Emulator) -> None:
    """Element 4 of 4 is the first byte of the guard page."""
    ran = emulator.run("device_memory", buffers=[zeros("out", 1)], numbers=[1])

    assert ran.code == 139
    got = [ran.note[key] for key in ("buffer", "offset", "bytes", "buffer_line", "access")]
    assert got == ["cudaMalloc #2", 16, 16, 11, "write"]


def test_overrun_within_the_slack_is_found_later(emulator: Emulator) -> None:
    """A write between an odd-sized buffer and its guard page is found when it is freed."""
    ran = emulator.run("device_memory", buffers=[zeros("out", 1)], numbers=[2])

    assert (ran.errors, ran.note["kind"]) == ([700], "fault")
    assert tuple(ran.note[k] for k in ("buffer", "offset", "bytes")) == ("cudaMalloc #1", 24, 20)


def test_use_after_free(emulator: Emulator) -> None:
    """Freed memory is inaccessible, and remembered by name."""
    ran = emulator.run("device_memory", buffers=[zeros("out", 1)], numbers=[3])

    assert (ran.code, ran.note["buffer"]) == (139, "freed cudaMalloc #2")


@pytest.mark.parametrize(
    ("what", "line", "message"),
    [
        (4, 17, "cudaFree of cudaMalloc #1, which was freed before"),
        (6, 19, "cudaFree of the argument out, which belongs to the caller of solve"),
        (
            7,
            20,
            "cudaMemcpy: 20 bytes from byte 0 of cudaMalloc #2, which has 16 bytes: the last 4 "
            "past its end",
        ),
    ],
)
def test_wrong_uses_of_memory_are_explained(
    emulator: Emulator, what: int, line: int, message: str
) -> None:
    """A double free, a foreign free and a copy past the end return 1 with a note."""
    ran = emulator.run("device_memory", buffers=[zeros("out", 1)], numbers=[what])

    assert ran.buffers["out"] == [1.0]
    first = ran.notes[0]
    assert ("error", 1, line, message) == (
        first["kind"], first["error"], first["line"], first["message"],
    )  # fmt: skip


def test_memory_limit(emulator: Emulator) -> None:
    """cudaMalloc beyond the limit returns 2 and notes what was asked."""
    plan: dict[str, Any] = {"buffers": [zeros("out", 1)], "memory_limit": 1 << 20, "numbers": [5]}
    ran = emulator.run("device_memory", **plan)

    assert ran.buffers["out"] == [2.0]
    assert (
        ran.note["kind"], ran.note["asked"], ran.note["limit"], ran.note["in_use"],
    ) == ("memory", 1 << 20, 1 << 20, 36)  # fmt: skip


def test_write_to_an_input(emulator: Emulator) -> None:
    """The first write to a read-only array is noted, and all writes go through."""
    plan = {"buffers": [buffer("in", [1.0, 2.0, 3.0, 4.0], read_only=True), zeros("out", 4)]}
    ran = emulator.run("write_to_an_input", **plan)

    assert (ran.errors, ran.code) == ([0], 0)
    assert (
        ran.note["kind"], ran.note["buffer"], ran.note["offset"], ran.note["thread"],
    ) == ("readonly_write", "in", 0, [0, 0, 0])  # fmt: skip
    assert (ran.buffers["in"], ran.buffers["out"]) == ([-1.0] * 4, [2.0, 4.0, 6.0, 8.0])


def test_addresses_change_unless_they_are_asked_for(emulator: Emulator) -> None:
    """A buffer gets a fresh address each call, or the one before."""
    plan = {"buffers": [zeros("out", 4)], "schedules": [0, 0, 0]}
    fresh = emulator.run("barrier_not_in_first_block", **plan).addresses
    same = emulator.run("barrier_not_in_first_block", same_addresses=True, **plan).addresses

    assert len({address[0] for address in fresh}) == 3
    assert len({address[0] for address in same}) == 1
    assert all(address[0] % 16 == 0 for address in [*fresh, *same])


# ---- other ends -------------------------------------------------------------------------------


def test_deep_recursion_fits(emulator: Emulator) -> None:
    """300 nested calls of 160 bytes and more fit on a CUDA thread's stack."""
    got = emulator.right("stack_overflow", buffers=[zeros("out", 64)], numbers=[300])

    assert got["out"] == [1.0] * 64


def test_stack_overflow(emulator: Emulator) -> None:
    """Endless recursion in a kernel is a fault of the buffer "stack", with its thread."""
    ran = emulator.run("stack_overflow", buffers=[zeros("out", 64)], numbers=[10**8])

    assert (
        ran.code, ran.note["buffer"], ran.note["kernel"], ran.note["thread"],
    ) == (139, "stack", "recurse", [0, 0, 0])  # fmt: skip


def test_stack_overflow_of_the_host(emulator: Emulator) -> None:
    """Endless recursion in solve itself is one too."""
    ran = emulator.run("stack_overflow", buffers=[zeros("out", 64)], numbers=[-(10**8)])

    assert (ran.code, ran.note["buffer"], ran.note["host"]) == (139, "stack", 1)


@pytest.mark.parametrize(("what", "number"), [(0, 8), (1, 6), (2, 4)])
def test_signals(emulator: Emulator, what: int, number: int) -> None:
    """A division by zero, abort() and a trap are noted with their place."""
    ran = emulator.run("crashes", buffers=[zeros("p", 16)], numbers=[what])

    assert (128 + number, "signal", number) == (ran.code, ran.note["kind"], ran.note["signal"])
    assert (ran.note["kernel"], ran.note["thread"]) == ("end", [3, 0, 0])


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="other processors allow the access")
def test_misaligned_access(emulator: Emulator) -> None:
    """A 16-byte access at a multiple of 4 is named with its buffer and offset."""
    ran = emulator.run("crashes", buffers=[zeros("p", 16)], numbers=[3])

    assert (
        ran.code, ran.note["misaligned"], ran.note["buffer"], ran.note["offset"],
        ran.note["access"],
    ) == (139, 1, "p", 4, "read")  # fmt: skip


def test_every_program_is_run() -> None:
    """Each file of tests/emu is the subject of a test here."""
    tests = Path(__file__).read_text()
    missing = [p.stem for p in (HERE / "emu").glob("*.cu") if f'"{p.stem}"' not in tests]

    assert missing == []
