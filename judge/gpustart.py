"""Start a worker of the GPU backend, with memory that it and the judge both reach.

The way is found by trying: a system may refuse to share device memory, or only refuse to map it in
another process.  What was found is kept with the device, for the workers after the first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge import devices, ends, reach
from judge.confine import MIB, Bounds
from judge.gpudevice import Device
from judge.gpumemory import IpcMemory, NotShared, SharedMemory
from judge.link import Lacking, Link, Reply
from judge.model import Fault, Outcome, Reason, UserError, Verdict
from judge.printable import printable
from judge.program import Program

VARIABLE = "JUDGE_GPU_BUFFERS"
"""`shared` in it: do not use CUDA IPC even where it works."""
_HOST_BYTES = 8192 * MIB
"""Of host memory a worker may take: CUDA's own libraries and its context are most of it."""
_TRIAL_BYTES = 1 << 20


def asked() -> str:
    """Why CUDA IPC is not to be used though it may work; empty if nobody says so.

    Raises UserError for a value that means nothing.
    """
    value = os.environ.get(VARIABLE, "")
    if value not in ("", "shared"):
        raise UserError(f"{VARIABLE}: got {printable(value, 40)!r}, expected shared or nothing")
    return f"{VARIABLE}=shared" if value else ""


def memory(device: Device, capacity: int) -> IpcMemory | SharedMemory:
    """Memory of the kind that works here, as far as is known.  Raises JudgeError."""
    if not device.unshared:
        try:
            return IpcMemory(device, capacity)
        except NotShared as error:
            device.unshared = str(error)
    return SharedMemory(device, capacity)


@dataclass(frozen=True)
class Load:
    """What a worker is to load: what it is told of it, files it needs, bytes it may take, and
    libraries it may not have loaded."""

    setting: Mapping[str, Any]
    readable: tuple[Path, ...]
    memory_bytes: int
    banned: tuple[str, ...] = ()


def program(load: Load, own: IpcMemory | SharedMemory, libraries: Sequence[str]) -> Program:
    """The worker; libraries: folders of the toolkit."""
    return Program(
        worker=Path(__file__).with_name("gpuworker.py"),
        flags=("-I",),
        setting={
            "path": [str(Path(__file__).parent.parent), *sys.path],
            "memory_bytes": load.memory_bytes,
            **load.setting,
            **own.setting(),
        },
        bounds=Bounds(
            memory_bytes=_HOST_BYTES + load.memory_bytes,
            # CUDA asks for far more than it uses; what is used is watched.
            data_bytes=1 << 45,
            processes=4,
            open_files=4096,
        ),
        environment={"LD_LIBRARY_PATH": ":".join(libraries), "CUDA_CACHE_DISABLE": "1"},
        pass_fds=own.inherited(),
        answer_bytes=64 << 10,
        # pycuda need not be where this Python keeps its own packages.
        readable=(*load.readable, *map(Path, libraries), *reach.packages()),
        devices=devices.all_files(),
    )


def loaded(
    own: IpcMemory | SharedMemory,
    load: Load,
    libraries: Sequence[str],
    explain: Callable[[Reply, str], Fault],
) -> tuple[IpcMemory | SharedMemory, Link | Outcome]:
    """Start a worker on this memory, or, if it cannot map it, on another of the other kind.

    Returns the memory it is on, the one given being closed if it is another; and as ends.loaded.
    Raises JudgeError.
    """
    try:
        return own, ends.loaded(program(load, own, libraries), load.banned, explain)
    except Lacking as error:
        own.device.unshared = f"CUDA IPC is not available here ({error})"
    own.close()  # first, because a small device has no room for two
    other = SharedMemory(own.device, own.capacity)
    try:
        return other, ends.loaded(program(load, other, libraries), load.banned, explain)
    except BaseException:
        other.close()
        raise


def trial(device: Device, libraries: Sequence[str]) -> str:
    """Why workers do not get the judge's device memory here; empty if they do.  Raises JudgeError.

    A worker is started to try it, with nothing to load: it refuses that after it has mapped memory.
    """
    nothing = {"source": "", "library": "", "cubin": "", "kernels": [], "flush_bytes": 0}
    own = memory(device, _TRIAL_BYTES)
    try:
        if not device.unshared:
            fault = Fault(Verdict.CE, Reason.COMPILE, "nothing to load")
            own, _ = loaded(own, Load(nothing, (), 0), libraries, lambda reply, when: fault)
    finally:
        own.close()
    return device.unshared
