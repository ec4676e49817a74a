"""Run one of NVIDIA's tools beside the toolkit on calls of a submission.

The tool starts judge/gpudriver.py, which loads the submission: outside the box that holds a worker,
since these tools need what the box forbids.  Time is bounded, and everything started is ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from judge import spec as specs
from judge import toolkit
from judge.arguments import number
from judge.model import Build, CallData, Spec, UserError

SECONDS = 300.0
_OUTPUT_BYTES = 4 << 20


@dataclass(frozen=True)
class Told:
    """What a tool left: its log, what it and the submission printed, and the exit status."""

    log: str
    printed: str
    status: int


def run(
    tool: Sequence[str],
    build: Build,
    spec: Spec,
    calls: Sequence[CallData],
    folder: Path,
    *,
    repeat: int = 1,
    shown: int = 0,
    seconds: float = SECONDS,
) -> Told:
    """Run a tool on these calls, `repeat` times each, of which a profiler sees the last `shown`.

    tool:   its command; `{log}` in it stands for the path of the log it is to write
    folder: an empty one for inputs and logs, the caller's to remove
    Raises UserError if time is up.
    """
    setting = folder / "setting.json"
    log, printed = folder / "log", folder / "printed"
    told = [_arguments(spec, data, number, folder) for number, data in enumerate(calls)]
    library = str(build.library.absolute())
    content = {"library": library, "repeat": repeat, "shown": shown, "calls": told}
    setting.write_text(json.dumps(content), encoding="utf-8")
    driver = Path(__file__).with_name("gpudriver.py")
    argv = [*(one.replace("{log}", str(log)) for one in tool), sys.executable, "-I"]
    with printed.open("wb") as stream:
        process = subprocess.Popen(
            [*argv, str(driver), str(setting)],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=_environment(),
            start_new_session=True,
        )
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            name = Path(tool[0]).name
            raise UserError(f"{name}: not done after {seconds:g} s: it was ended") from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Told(_head(log), _head(printed), status)


def _arguments(spec: Spec, data: CallData, call: int, folder: Path) -> list[dict[str, Any]]:
    """The arguments of one call for the driver, array contents in files."""
    found: list[dict[str, Any]] = []
    for one in spec.signature:
        if not one.is_array:
            found.append(number(one, data))
            continue
        elements = int(np.prod(specs.shape(one, data.case.sizes), dtype=np.int64))
        told: dict[str, Any] = {"bytes": elements * one.dtype.itemsize}
        content = data.before(one)
        if content is not None:
            path = folder / f"{call}-{one.name}.bin"
            path.write_bytes(np.ascontiguousarray(content).tobytes())
            told["file"] = str(path)
        found.append(told)
    return found


def _environment() -> Mapping[str, str]:
    folders = [str(folder) for folder in toolkit.library_folders()]
    before = os.environ.get("LD_LIBRARY_PATH")
    return {**os.environ, "LD_LIBRARY_PATH": ":".join([*folders, *([before] if before else [])])}


def _head(path: Path) -> str:
    """The beginning of a file; nothing if it was never written."""
    try:
        with path.open("rb") as file:
            return file.read(_OUTPUT_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
