"""judge/gputool.py, judge/gpudriver.py: a tool is found, and watches calls of a submission.

The CUDA runtime is a small library of its own here, which prints what it is asked.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from judge import cases, gputool, spec
from judge.model import Build, UserError

GEMM = spec.load("gemm_fp16")
CASE = cases.parse_id(GEMM, "normal,M=3,N=5,K=7,alpha=0.5,beta=-1.25")
RUNTIME = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
static int error, calls;
extern "C" {
int cudaMalloc(void** p, size_t n) { *p = malloc(n); printf("malloc %zu\\n", n); return 0; }
int cudaMemcpy(void* to, const void* from, size_t n, int kind) {
  memcpy(to, from, n); printf("copy %zu %d\\n", n, kind); return 0; }
int cudaFree(void* p) { free(p); puts("free"); return 0; }
int cudaGetLastError() { return 0; }
int cudaDeviceSynchronize() { fflush(stdout); return error; }
int cudaProfilerStart() { puts("start"); return 0; }
int cudaProfilerStop() { puts("stop"); return 0; }
const char* cudaGetErrorString(int) { return "an illegal memory access was encountered"; }
void judge_entry(void* const* a) {
  unsigned short first = **(unsigned short**)a[0];
  printf("solve %d %d %d %g %g %d\\n", *(int*)a[3], *(int*)a[4], *(int*)a[5], *(float*)a[6],
         *(float*)a[7], first);
  if (FAILS && ++calls == 2) error = 700;
}
}
"""


def library(folder: Path, fails: int = 0) -> Build:
    """A submission and a runtime in one, whose second call fails if asked."""
    path = folder / "submission.so"
    argv = ["g++", "-shared", "-fPIC", f"-DFAILS={fails}", "-x", "c++", "-", "-o", str(path)]
    subprocess.run(argv, input=RUNTIME, text=True, check=True)
    return Build(path, Path("x.cu"), 0.0, False, "g++")


@pytest.fixture
def tool(tmp_path: Path) -> list[str]:
    """A tool that runs what it is given and keeps a log."""
    path = tmp_path / "tool"
    path.write_text('#!/bin/sh\necho "tool ran" >"$1"\nshift\nexec "$@"\n')
    path.chmod(0o755)
    return [str(path), "{log}"]


def told(tool: list[str], build: Build, folder: Path, **more: object) -> gputool.Told:
    """What comes of one call."""
    place = folder / "inputs"
    place.mkdir()
    data = cases.make(GEMM, CASE, "seed", 0)
    return gputool.run(tool, build, GEMM, [data], place, **more)  # type: ignore[arg-type]


def test_the_driver_calls_solve_with_the_arguments_of_the_case(
    tool: list[str], tmp_path: Path
) -> None:
    """Exact allocations, inputs copied, scalars by value, and everything freed."""
    got = told(tool, library(tmp_path), tmp_path)
    first = int(cases.make(GEMM, CASE, "seed", 0).arrays["A"].view("uint16").flat[0])

    assert got.printed.splitlines() == [
        *("malloc 42", "copy 42 1", "malloc 70", "copy 70 1", "malloc 30", "copy 30 1"),
        f"solve 3 5 7 0.5 -1.25 {first}",
        *("free", "free", "free"),
    ]
    assert (got.log, got.status) == ("tool ran\n", 0)


def test_a_profiler_is_shown_the_last_calls_only(tool: list[str], tmp_path: Path) -> None:
    """What comes first in a process is no measure of a kernel."""
    got = told(tool, library(tmp_path), tmp_path, repeat=3, shown=2)
    words = [line.split()[0] for line in got.printed.splitlines()]

    assert words[6:13] == ["solve", *["start", "solve", "stop"] * 2]


def test_a_cuda_error_ends_the_driver_with_a_line_and_status_3(
    tool: list[str], tmp_path: Path
) -> None:
    """The tool's log says more; the status says that it was not clean."""
    got = told(tool, library(tmp_path, fails=1), tmp_path, repeat=3)

    assert got.status == 3
    assert "cudaDeviceSynchronize: error 700: an illegal memory access" in got.printed
    assert got.printed.count("solve") == 2


def test_a_tool_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    """A kernel that never ends does not keep the judge for ever."""
    pid = tmp_path / "pid"
    path = tmp_path / "tool"
    path.write_text(f'#!/bin/sh\nsleep 100 & echo $! >"{pid}"\nwait\n')
    path.chmod(0o755)

    with pytest.raises(UserError, match="tool: not done after 1 s"):
        told([str(path)], library(tmp_path), tmp_path, seconds=1)
    state = Path(f"/proc/{pid.read_text().strip()}/stat")
    deadline = time.monotonic() + 2  # a killed process takes its turn to die
    while state.exists() and state.read_text().split()[2] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.01)
