"""The CPU backend: a submission as C++, its kernels run by the emulator in a worker process."""

from __future__ import annotations

import os
import platform

from judge import cpubuild, kernelcheck
from judge.build import find_compiler
from judge.cases import CPU_BUDGET
from judge.counted import counted
from judge.cpusession import Session
from judge.model import BackendMissing, Build, Spec

NAME = "cpu"
BUDGET = CPU_BUDGET

_MOST_OS_THREADS = 8

compile = cpubuild.compile
check = kernelcheck.Beside
measure = None
"""An emulator's time says nothing of a GPU's: it is never reported."""


def probe() -> str:
    """The processor that stands in for a GPU.  Raises BackendMissing without Linux or compiler."""
    system, machine = platform.system(), platform.machine()
    if system != "Linux":
        raise BackendMissing(f"cpu backend: got {system}, expected Linux; use WSL2 or a container")
    find_compiler()
    threads = _os_threads()
    return f"CPU emulation on {counted(threads, 'thread')} ({machine})"


def open_session(build: Build, spec: Spec) -> Session:
    """A session for the calls of one build; the worker starts with the first call."""
    return Session(build, spec, cpubuild.runtime_library(), _os_threads())


def _os_threads() -> int:
    """Threads for the blocks of a grid: the processors this process may use, at most 8."""
    return min(len(os.sched_getaffinity(0)), _MOST_OS_THREADS)
