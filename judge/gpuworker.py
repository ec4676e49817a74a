"""The GPU backend's worker: loads a submission into the primary context, calls and times it.

    python -I judge/gpuworker.py '{"path": [...], "library": ..., ...}'

    judge -> worker   {"call": 7, "arguments": [
                         {"name": "A", "offset": 65536},
                         {"name": "M", "ctype": "int32", "value": 61}]}
                      {"call": 8, "do": "sample", "sets": [[...], [...]], "cold": true,
                       "gated": true, "before": 1, "nothing": false}
                      {"call": 9, "do": "batch", "sets": [[...], [...]], "calls": 200}
                      {"call": 10, "do": "attributes"}
                      {"call": 11, "do": "exchange", "put": [[0, 4096]], "fetch": []}
    worker -> judge   {"started": 1, "cage": ["privileges", "files", "calls"]}
                                                 once: driver, context and arena work
                      {"lacks": "..."}           instead of started: the arena cannot be mapped
                      {"ready": 1}               once: both halves are loaded
                      {"refused": "..."}         instead of ready: it cannot be loaded
                      {"returned": 7, "error": 700, "launches": [...], ...}       after each

One JSON object a line.  Offsets are into the arena.  `put` and `fetch` (bytes of it, start and end)
may stand in any message where the arena is this process's own: what to copy there from the file
that the judge has filled, before what is asked is done, and what back to the file after it.  The
judge believes nothing but that a call returned.  `error` is the device's answer to a synchronise
after `solve`; `launches`, `us` and `attributes` are claims, for explanation and for a time that the
judge holds against its own clock.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # started by its path, by a Python that finds nothing of ours
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from judge import cvalues
from judge.gpumapped import Mapped

_METHODS = {2: "gated events", 1: "events", 0: "events around a synchronise", -1: ""}
_MOST_LAUNCHES = 64
_LINE_BUFFERED = 1
BROKEN = 70
"""Exit status where our own half failed, as in judge/worker.py."""


class _Launch(ctypes.Structure):
    """As in judge/cuda/recorder.cpp."""

    _fields_ = (
        ("kernel", ctypes.c_char * 256),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_ulonglong),
        ("error", ctypes.c_uint),
        ("count", ctypes.c_uint),
    )


class Worker:
    """A loaded submission and the arena its arguments lie in."""

    def __init__(
        self,
        submission: Any,
        arena: Mapped,
        flush_bytes: int,
        memory_bytes: int,
        kernels: list[dict[str, int]],
    ) -> None:
        """memory_bytes: what cudaMalloc may hand out;  kernels: what the driver says of each."""
        self._kernels = kernels
        self._submission, self._arena = submission, arena
        self._flush_bytes = flush_bytes
        host = submission.host
        self._entry = ctypes.cast(host.judge_entry, ctypes.c_void_p)
        self._runtime = _runtime(host)
        self._launches = (_Launch * _MOST_LAUNCHES)()
        host.judge_refused_bytes.restype = ctypes.c_ulonglong
        host.judge_limit_memory(ctypes.c_ulonglong(memory_bytes))
        self._does: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "call": self._call,
            "sample": self._sample,
            "batch": self._batch,
            "attributes": self._attributes,
            "exchange": lambda message: {"error": 0},
        }

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """Do what one message asks, between the copies it wants."""
        put = self._arena.put(self._runtime, message.get("put", ()))
        told = self._does[message.get("do", "call")](message)
        fetched = self._arena.fetch(self._runtime, message.get("fetch", ()))
        return {"returned": message["call"], **told, "error": put or told["error"] or fetched}

    def _call(self, message: dict[str, Any]) -> dict[str, Any]:
        """One call of `solve`, and what was launched in it."""
        values = self._values(message["arguments"])
        began = time.perf_counter()
        self._submission.solve(*values)
        error = self._wait()
        seconds = time.perf_counter() - began
        ctypes.CDLL(None).fflush(None)
        refused = int(self._submission.host.judge_refused_bytes())
        launches = self._recorded()
        return {"error": error, "seconds": seconds, "launches": launches, "refused_bytes": refused}

    def _attributes(self, message: dict[str, Any]) -> dict[str, Any]:
        """What the driver says of each kernel of the device half."""
        return {"error": 0, "attributes": self._kernels}

    def _values(self, arguments: list[dict[str, Any]]) -> list[Any]:
        return [
            self._arena.address + one["offset"] if "offset" in one else cvalues.number(one)
            for one in arguments
        ]

    def _pointers(self, arguments: list[dict[str, Any]]) -> tuple[Any, list[Any]]:
        values = [
            v if isinstance(v, ctypes._SimpleCData) else ctypes.c_void_p(v)
            for v in self._values(arguments)
        ]
        return cvalues.pointers(values), values

    def _sample(self, message: dict[str, Any]) -> dict[str, Any]:
        """On each set `before` untimed calls, then a timed one."""
        host = self._submission.host
        entry = host.judge_nothing if message["nothing"] else self._entry
        error = host.judge_prepare(ctypes.c_size_t(self._flush_bytes))
        took, methods = [], []
        for arguments in message["sets"]:
            pointers, alive = self._pointers(arguments)
            for _ in range(message["before"]):
                host.judge_entry(pointers)
            if message["before"]:
                error = error or self._wait()
            us, method = ctypes.c_float(), ctypes.c_int()
            error = error or host.judge_sample(
                entry,
                pointers,
                int(message["gated"]),
                int(message["cold"]),
                ctypes.byref(us),
                ctypes.byref(method),
            )
            took.append(us.value)
            methods.append(_METHODS[method.value])
            del alive
        return {"error": error, "us": took, "method": methods}

    def _batch(self, message: dict[str, Any]) -> dict[str, Any]:
        """Calls back to back, rotating over the sets: the judge times this from outside."""
        made = [self._pointers(arguments) for arguments in message["sets"]]
        entry = self._submission.host.judge_entry
        for number in range(message["calls"]):
            entry(made[number % len(made)][0])
        return {"error": self._wait()}

    def _wait(self) -> int:
        """A device-wide synchronise by the runtime, which also gives errors of launches."""
        last = int(self._runtime.cudaGetLastError())
        return int(self._runtime.cudaDeviceSynchronize()) or (last if last >= 100 else 0)

    def _recorded(self) -> list[dict[str, Any]]:
        count = self._submission.host.judge_launches(self._launches, _MOST_LAUNCHES)
        return [
            {
                "kernel": one.kernel.decode("utf-8", "replace"),
                "grid": list(one.grid),
                "block": list(one.block),
                "shared_bytes": one.shared_bytes,
                "error": one.error,
                "count": one.count,
            }
            for one in self._launches[:count]
        ]


def _runtime(host: Any) -> Any:
    """The CUDA runtime the submission is linked against, past the recorder's own functions."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        path = line.split(maxsplit=5)[-1]
        if "/libcudart.so" in path:
            return ctypes.CDLL(path)
    raise OSError("the submission is not linked against libcudart.so")


def main() -> None:
    """Load, say so, then answer until the judge closes the pipe."""
    setting = json.loads(sys.argv[1])
    sys.path[:] = setting["path"]
    from judge import cage, gpu
    from judge.gpudevice import Device, submission_class

    answers = setting["answers"]
    pycuda = gpu.load_pycuda()
    device = Device(pycuda)
    try:
        arena = Mapped(device, setting)
    except pycuda.driver.Error as error:
        _send(answers, {"lacks": str(error)[:300]})
        os._exit(1)
    libc = ctypes.CDLL(None)
    # A crash should not take the lines before it along.
    libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, _LINE_BUFFERED, ctypes.c_size_t(0))
    _send(answers, {"started": 1, "cage": cage.enter(**setting["cage"])})
    try:
        # A submission may call the driver itself (cuTensorMapEncodeTiled); it is not linked to it.
        ctypes.CDLL("libcuda.so.1", mode=ctypes.RTLD_GLOBAL)
        submission = submission_class(pycuda)(
            Path(setting["source"]),
            cubin=Path(setting["cubin"]).read_bytes(),
            library=Path(setting["library"]),
        )
        kernels = [dict(submission.attributes(one)) for one in setting["kernels"]]
        sizes = setting["flush_bytes"], setting["memory_bytes"]
        worker = Worker(submission, arena, *sizes, kernels)
    except (OSError, AttributeError, pycuda.driver.Error) as error:
        _send(answers, {"refused": str(error)[:1000]})
        os._exit(1)
    # From here on the runtime makes the primary context current by itself.  pycuda's own stack of
    # contexts is left empty, since it aborts the process if `solve` calls exit() with one on it.
    device.close()
    _send(answers, {"ready": 1})
    try:
        for line in open(setting["calls"], "rb", closefd=False):  # noqa: SIM115 (open to the end)
            _send(answers, worker.answer(json.loads(line)))
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(BROKEN)
    os._exit(0)  # whatever the submission registered with atexit is not run


def _send(descriptor: int, message: dict[str, Any]) -> None:
    os.write(descriptor, json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main()
