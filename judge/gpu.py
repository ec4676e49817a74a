"""The GPU backend, and the door to pycuda: no other file imports it.

The judge's process holds the primary context and the checks; the submission runs in a worker
(judge/gpuworker.py).  Both reach the arena its arrays lie in (judge/gpumemory.py).
"""

from __future__ import annotations

import atexit
import ctypes
import functools
from collections.abc import Callable, Sequence
from pathlib import Path

from judge import caseids, gpubuild, gpuspeed, gpustart, toolkit
from judge.gpudevice import Device, Pycuda
from judge.gpusession import Session
from judge.model import BackendMissing, Build, Spec, Speed

NAME = "gpu"
BUDGET = 4e9
"""Operations of all cases: the right answers are made on the processor, in float64."""


@functools.cache
def load_pycuda() -> Pycuda:
    """pycuda, initialised.  Raises BackendMissing with what to install."""
    # pycuda links libcurand, which lies in the toolkit's library folder: the loader finds it there
    # only if it is loaded already, or on LD_LIBRARY_PATH.
    for folder in toolkit.library_folders():
        for library in sorted(folder.glob("libcurand.so.*")):
            try:
                ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
                break
            except OSError:
                continue
    try:
        import pycuda.driver as driver
        from pycuda.compiler import SourceModule
    except ModuleNotFoundError as error:
        raise BackendMissing(
            f"backend gpu: python module {error.name} is not installed; `make setup` installs "
            "pycuda where a GPU and a CUDA toolkit are"
        ) from error
    except ImportError as error:
        raise BackendMissing(f"backend gpu: pycuda does not load: {error}") from error
    try:
        driver.init()
        count = driver.Device.count()
    except driver.Error as error:
        raise BackendMissing(
            f"backend gpu: the NVIDIA driver does not answer: {error}; see nvidia-smi"
        ) from error
    if count == 0:
        raise BackendMissing("backend gpu: the driver shows no device (CUDA_VISIBLE_DEVICES?)")
    return Pycuda(driver, SourceModule)


@functools.cache
def device() -> Device:
    """The first GPU, in its primary context for the rest of this process.

    Raises BackendMissing, JudgeError, and UserError for an environment that asks for nonsense.
    """
    unshared = gpustart.asked()
    opened = Device(load_pycuda())
    opened.unshared = unshared
    atexit.register(opened.close)
    return opened


def probe() -> str:
    """The GPU and what compiles for it.  Raises BackendMissing."""
    found = toolkit.find()
    major, minor = device().capability
    return f"{device().name} (compute capability {major}.{minor}, CUDA {found.version})"


def buffers() -> str:
    """How workers get their arrays here, found by starting one.

    Raises BackendMissing, UserError, JudgeError.
    """
    unshared = gpustart.trial(device(), [str(folder) for folder in toolkit.library_folders()])
    return f"buffers by shared memory: {unshared}" if unshared else "buffers by CUDA IPC"


def compile(source: Path, spec: Spec, defines: Sequence[str]) -> Build:
    """Build both halves of a submission.  Raises CompileError, UserError, BackendMissing."""
    return gpubuild.compile(source, spec, defines, device().capability)


check = None
"""compute-sanitizer is asked by `sanitize` only: it takes its time."""


def measure(
    build: Build, spec: Spec, seed: str, sizes: int | None, tell: Callable[[str], None]
) -> Speed:
    """Time a build that was accepted, at the first `sizes` timed sizes of the spec (None: all).

    Raises CallFault if a timed call is not right.
    """
    prepared = [gpuspeed.prepare(spec, one, seed) for one in caseids.timed(spec)[:sizes]]
    folders = [str(folder) for folder in toolkit.library_folders()]
    return gpuspeed.measure(spec, build, prepared, device(), folders, tell)


def open_session(build: Build, spec: Spec) -> Session:
    """A session for the calls of one build; the worker starts with the first call."""
    return Session(build, spec, device(), [str(f) for f in toolkit.library_folders()])
