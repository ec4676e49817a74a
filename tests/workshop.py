"""A small problem and a compiler, for tests of the worker that need no CUDA.

The problem: C[i] = A[i] + s for A and C of M x N.  A submission here is plain C++ that defines
`run(A, C, M, N, s)`; what the CPU backend adds for `solve` is added here for `run`.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

from judge.cpusession import Session
from judge.model import (
    Argument,
    Axis,
    Build,
    CallData,
    Case,
    Dtype,
    Family,
    Limits,
    Outcome,
    Role,
    Spec,
)

HERE = Path(__file__).parent
HEAD = """\
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
extern "C" void plain_note(const char *);
extern "C" int last_error;
static void honest(const float *A, float *C, int M, int N, float s) {
    for (long i = 0; i < (long)M * N; i++) C[i] = A[i] + s;
}
#line 1 "{path}"
"""
TAIL = """
extern "C" void judge_entry(void *const *a) {
    run(*(const float **)a[0], *(float **)a[1], *(int *)a[2], *(int *)a[3], *(float *)a[4]);
}
"""
RUN = "static void run(const float *A, float *C, int M, int N, float s)"
HONEST = RUN + " { honest(A, C, M, N, s); }"


def spec(seconds: float = 5.0, memory_mib: int = 128) -> Spec:
    """The problem, with limits small enough to be reached."""
    return Spec(
        slug="add",
        path=Path("add/problem.yaml"),
        title="Add",
        summary="C = A + s",
        source="tests",
        axes=(Axis("M", 1, 4096), Axis("N", 1, 4096)),
        signature=(
            Argument("A", Dtype.FLOAT32, Role.IN, ("M", "N")),
            Argument("C", Dtype.FLOAT32, Role.OUT, ("M", "N")),
            Argument("M", Dtype.INT32, Role.AXIS),
            Argument("N", Dtype.INT32, Role.AXIS),
            Argument("s", Dtype.FLOAT32, Role.SCALAR, values=(0.5,)),
        ),
        families=(Family("normal", 1, {}),),
        tiles=(),
        fixed=(),
        drawn=1,
        work="M * N",
        bytes="8 * M * N",
        reference={"C": "A + s"},
        reference_path=None,
        tolerance={},
        timed=(),
        limits=Limits(seconds, memory_mib << 20),
    )


def data(m: int = 3, n: int = 5, round_: int = 0) -> CallData:
    """A call of that size; other content in each round."""
    a = np.random.default_rng(m * 1000 + n * 10 + round_).standard_normal((m, n), np.float32)
    case = Case(f"normal,M={m},N={n},s=0.5", "normal", {"M": m, "N": n}, {"s": 0.5})
    return CallData(case, round_, {"A": a})


def right(call: CallData, outcome: Outcome) -> bool:
    """Whether the call came back with the right output and nothing else touched."""
    return (
        outcome.returned
        and outcome.fault is None
        and not outcome.overwritten
        and not outcome.modified
        and np.array_equal(outcome.outputs["C"], call.arrays["A"] + np.float32(0.5))
    )


class Workshop:
    """Compiles into one folder; `session` gives a session with the plain runtime."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, 0
        self.runtime = folder / "libplain.so"
        self._compile([str(HERE / "worker" / "plain_runtime.cpp")], self.runtime)

    def build(self, code: str) -> Build:
        """A submission from C++ that defines `run`, or all of judge_entry itself."""
        self._count += 1
        source = self._folder / f"s{self._count}.cu"
        source.write_text(code)
        translated, library = source.with_suffix(".cpp"), source.with_suffix(".so")
        tail = "" if "judge_entry" in code else TAIL
        translated.write_text(HEAD.replace("{path}", str(source)) + code + tail)
        self._compile([str(translated)], library)
        return Build(library, source, 0.0, False, "g++")

    def session(self, code: str, seconds: float = 5.0, memory_mib: int = 128) -> Session:
        """A session for that code."""
        return Session(self.build(code), spec(seconds, memory_mib), self.runtime, 2)

    def _compile(self, sources: list[str], library: Path) -> None:
        flags = ["-std=c++17", "-O1", "-g1", "-fPIC", "-shared", "-w", "-pthread"]
        command = ["g++", *flags, *sources, "-o", str(library)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
