"""The CPU backend as a whole: CUDA C++ in, what the judge saw out.

The problem is that of tests/workshop.py: C = A + s, for A and C of M x N.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from workshop import data, right, spec

from judge import cpu
from judge.cpusession import Session
from judge.model import BackendMissing, Fault, Outcome, Place, Reason, Verdict

SIGNATURE = 'extern "C" void solve(const float* A, float* C, int M, int N, float s)'
KERNEL = """\
__global__ void add(const float* A, float* C, int M, int N, float s) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < N && y < M) C[y * N + x] = A[y * N + x] + s;
}
"""
HONEST = (
    KERNEL
    + SIGNATURE
    + """ {
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
    add<<<grid, block>>>(A, C, M, N, s);
}
"""
)


class Bench:
    """Compiles a submission and calls it twice, the second time at the same addresses."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def session(self, code: str, seconds: float = 5.0) -> Session:
        """A session for that code."""
        source = self._folder / "submission.cu"
        source.write_text(code)
        problem = spec(seconds)
        return cpu.open_session(cpu.compile(source, problem, ()), problem)

    def orders(self, code: str, schedules: list[int]) -> list[list[str]]:
        """The lines it prints under each schedule."""
        with self.session(code) as session:
            return [
                session.call(data(), schedule=one, same_addresses=False).printed.split()
                for one in schedules
            ]

    def calls(self, code: str, m: int = 37, n: int = 53, seconds: float = 5.0) -> list[Outcome]:
        """The outcomes of both calls, each with its own content and schedule."""
        with self.session(code, seconds) as session:
            return [
                session.call(data(m, n, round_), schedule=round_ + 1, same_addresses=round_ == 1)
                for round_ in range(2)
            ]

    def fault(self, code: str, m: int = 37, n: int = 53, seconds: float = 5.0) -> Fault:
        """The fault of the first call, which must have one."""
        fault = self.calls(code, m, n, seconds)[0].fault
        assert fault is not None
        return fault


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A bench in a folder of its own."""
    return Bench(tmp_path)


def kernel(body: str, launch: str = "k<<<2, 8>>>(A, C, M, N, s);") -> str:
    """A submission with one kernel; the body begins on line 2, the launch is on the line after."""
    return (
        "__global__ void k(const float* A, float* C, int M, int N, float s) {\n"
        f"{body}\n}}\n{SIGNATURE} {{ {launch} }}\n"
    )


def line(fault: Fault) -> int:
    """The line of the submission a fault names."""
    assert isinstance(fault.place, Place)
    assert fault.place.file.endswith("submission.cu")
    return fault.place.line


def test_control_honest_kernel_is_right(bench: Bench) -> None:
    """Ragged sizes, both calls."""
    for m, n in ((37, 53), (1, 1), (16, 32)):
        outcomes = bench.calls(HONEST, m, n)

        assert all(right(data(m, n, round_), one) for round_, one in enumerate(outcomes)), outcomes
        assert all(one.notes == () for one in outcomes)


def test_control_empty_solve_is_wrong(bench: Bench) -> None:
    """A submission that launches nothing leaves the poison."""
    for round_, outcome in enumerate(bench.calls(SIGNATURE + " { }")):
        assert outcome.returned
        assert not right(data(37, 53, round_), outcome)


def test_read_past_the_end_names_line_thread_and_element(bench: Bench) -> None:
    """The commonest mistake at a ragged edge: a missing guard."""
    fault = bench.fault(kernel("C[0] = A[M * N + 4];", "k<<<1, 1>>>(A, C, M, N, s);"))

    assert (fault.verdict, fault.reason, line(fault)) == (Verdict.RE, Reason.OUT_OF_BOUNDS, 2)
    assert fault.message == (
        "thread (0,0,0) of block (0,0,0) of k reads at byte 7860 of A, which has 7844 bytes: "
        "16 bytes past its end"
    )
    assert "that is A[37][4], and A is 37 x 53" in fault.details


@pytest.mark.parametrize(
    ("code", "place", "said"),
    [
        (kernel("C[0] = 1;\nif (s > 0)\n  abort();\nC[1] = 2;"), 4, "abort(), which no GPU has"),
        (kernel("C[0] = 1;\nabort();"), 3, "abort(), which no GPU has"),
        (kernel("C[0] = 1;\nassert(s < 0);"), 3, "a failed assert, or by abort()"),
        (SIGNATURE + " {\n  if (M)\n    abort();\n}", 3, "host code ended by SIGABRT: abort(), "),
        (SIGNATURE + " {\n  assert(M < 0);\n}\nvoid behind() {}", 2, "a failed assert"),
    ],
)
def test_whoever_ends_the_process_is_told_by_its_line(
    bench: Bench, code: str, place: int, said: str
) -> None:
    """Also where the call never returns, so that what stands behind it is of another line."""
    fault = bench.fault("#include <cassert>\n#include <cstdlib>\n" + code)

    assert (fault.verdict, fault.reason) == (Verdict.RE, Reason.SIGNAL)
    assert said in fault.message
    assert line(fault) == place + 2


def test_null_pointer_in_a_kernel(bench: Bench) -> None:
    """A null pointer is told from other addresses."""
    fault = bench.fault(kernel("float* p = nullptr; p[threadIdx.x] = s + A[0];"))

    assert (fault.reason, line(fault)) == (Reason.OUT_OF_BOUNDS, 2)
    assert "writes through a null pointer" in fault.message


def test_null_pointer_in_host_code(bench: Bench) -> None:
    """`solve` itself may crash; no CUDA thread is named then."""
    fault = bench.fault(f"static int* volatile p;\n{SIGNATURE} {{\n  *p = M;\n}}")

    assert fault.message.startswith("host code writes through a null pointer")
    assert line(fault) == 3


def test_endless_recursion_is_a_stack_overflow(bench: Bench) -> None:
    """The guard page of a thread's stack is told from a buffer's."""
    deep = "__device__ __noinline__ int f(int n) { volatile int a[64]; a[n & 63] = n; "
    deep += "return n < 0 ? 0 : f(n + 1) + a[3]; }\n"

    fault = bench.fault(deep + kernel("C[0] = f(M);"))

    assert fault.reason is Reason.STACK_OVERFLOW


def test_division_by_zero_names_its_line(bench: Bench) -> None:
    """SIGFPE, in the kernel, on the line."""
    fault = bench.fault(kernel("volatile int zero = 0;\nC[0] = M / zero;"))

    assert (fault.reason, line(fault)) == (Reason.SIGNAL, 3)
    assert "division by zero" in fault.message


def test_block_too_large_is_explained(bench: Bench) -> None:
    """4096 threads a block fail to launch; the judge says so, not that the answer is wrong."""
    code = HONEST.replace("block(16, 16)", "block(64, 64)")

    outcome = bench.calls(code)[0]

    assert outcome.returned
    assert outcome.fault is not None
    assert outcome.fault.reason is Reason.LAUNCH_LIMITS
    assert re.search(r"add was not launched: .*4096 threads.*1024", outcome.fault.message)
    assert line(outcome.fault) == 7


def test_failed_launch_counts_though_the_error_was_read(bench: Bench) -> None:
    """cudaGetLastError forgets; the judge does not."""
    code = HONEST.replace("block(16, 16)", "block(64, 64)").replace(
        "s);\n}", "s);\ncudaGetLastError(); }"
    )

    assert bench.fault(code).reason is Reason.LAUNCH_LIMITS


def test_empty_grid_is_a_remark(bench: Bench) -> None:
    """A launch of no blocks does nothing; right output stays right."""
    code = HONEST.replace(
        "add<<<grid,", "add<<<0, block>>>(A, C, M, N, s); cudaGetLastError(); add<<<grid,"
    )

    outcome = bench.calls(code)[0]

    assert right(data(37, 53), outcome)
    assert "add was launched with an empty grid" in outcome.notes[0]


def test_input_that_is_written_is_named_with_the_line(bench: Bench) -> None:
    """Writing an input goes on, is seen, and says where."""
    code = HONEST.replace(
        "if (x < N", "if (x == 3 && y == 2) const_cast<float*>(A)[0] = 9;\n    if (x < N"
    )

    outcome = bench.calls(code)[0]

    assert outcome.modified == ("A",)
    assert any(
        "thread (3,2,0) of block (0,0,0) of add writes A, an input" in note
        and "submission.cu:3" in note
        for note in outcome.notes
    )


def test_overrun_of_a_few_bytes_is_seen(bench: Bench) -> None:
    """One element past an odd-sized output lies before the guard page, in the canaries."""
    code = HONEST.replace("add<<<grid", "k<<<1, 1>>>(C + M * N); add<<<grid")

    outcome = bench.calls("__global__ void k(float* p) { *p = 1; }\n" + code)[0]

    assert outcome.overwritten == (
        "C, which has 7844 bytes, was overrun: 4 bytes past its end changed, the first at byte "
        "7844 (flat index 1961)",
    )


def test_time_limit_says_where_it_was(bench: Bench) -> None:
    """A kernel that spins is stopped, and the line is named."""
    fault = bench.fault(
        kernel("volatile float* c = C;\nwhile (s < 99)\n  c[0] = c[0] + 1;"), seconds=0.5
    )

    assert (fault.verdict, fault.reason) == (Verdict.TLE, Reason.TIMEOUT)
    assert line(fault) in (3, 4)
    assert re.fullmatch(r"it was in thread \(.*\) of block \(.*\) of k then", fault.details[0])


def test_device_memory_beyond_the_limit(bench: Bench) -> None:
    """cudaMalloc refuses more than the problem allows, and the judge says MLE."""
    code = f"{SIGNATURE} {{\n  void* p; cudaMalloc(&p, 1ull << 33);\n}}"

    fault = bench.fault(code)

    assert (fault.verdict, fault.reason) == (Verdict.MLE, Reason.MEMORY)
    assert "8589934592 bytes" in fault.message


def test_divergent_barrier_is_named(bench: Bench) -> None:
    """Two threads of a block that wait at different barriers."""
    body = "if (threadIdx.x < 4)\n  __syncthreads();\nelse\n  __syncthreads();\nC[0] = 1;"

    fault = bench.fault(kernel(body))

    assert fault.reason is Reason.BARRIER_DIVERGENCE
    assert line(fault) in (3, 5)


def test_exit_inside_solve(bench: Bench) -> None:
    """exit(0) after the work is no return."""
    outcome = bench.calls(HONEST.replace("s);\n}", "s); exit(0);\n}"))[0]

    assert not outcome.returned
    assert outcome.fault is not None
    assert outcome.fault.reason is Reason.EXITED


def test_kernel_printf_is_shown(bench: Bench) -> None:
    """printf in a kernel reaches the report."""
    outcome = bench.calls(kernel('if (threadIdx.x == 3) printf("x %d\\n", M);'))[0]

    assert outcome.printed == "x 37\nx 37"


def test_schedule_changes_the_order(bench: Bench) -> None:
    """0 runs the threads of a block forward; a seed permutes them, the same one the same way."""
    code = kernel('printf("%d\\n", threadIdx.x);', "k<<<1, 16>>>(A, C, M, N, s);")

    plain, plain_again, *seeded, repeated = bench.orders(code, [0, 0, 1, 2, 3, 4, 1])

    assert plain == plain_again == [str(thread) for thread in range(16)]
    assert any(order != plain for order in seeded)
    assert all(sorted(order) == sorted(plain) for order in seeded)
    assert repeated == seeded[0]


def test_probe_names_the_processor() -> None:
    """One line for doctor and report."""
    assert re.fullmatch(r"CPU emulation on \d threads? \(\w+\)", cpu.probe())


def test_probe_without_linux_is_a_missing_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other systems are told what to use."""
    monkeypatch.setattr("platform.system", lambda: "Darwin")

    with pytest.raises(BackendMissing, match="got Darwin, expected Linux"):
        cpu.probe()
