"""Which backend this machine can run, told from its device files before anything heavy is loaded.

A GPU without a device file cannot be used, so nothing of CUDA is imported where there is none.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
from pathlib import Path

from judge.model import BackendMissing

# One file a GPU (Linux), or one for all of them (WSL2).
_DEVICE_FILE = re.compile(r"nvidia[0-9]+|dxg")
DEV = Path("/dev")
INSTEAD = "use BACKEND=cpu (--backend cpu), or see `make doctor`"


def gpu_files(dev: Path | None = None) -> tuple[str, ...]:
    """The device files of the NVIDIA GPUs this process can see, sorted; empty without a GPU."""
    try:
        names = os.listdir(dev or DEV)
    except OSError:
        return ()
    return tuple(sorted(f"{dev or DEV}/{name}" for name in names if _DEVICE_FILE.fullmatch(name)))


def all_files(dev: Path | None = None) -> tuple[Path, ...]:
    """Everything below /dev that a program on the GPU opens, control files too."""
    found = sorted((dev or DEV).glob("nvidia*"))
    return (*found, *(path for path in ((dev or DEV) / "dxg",) if path.exists()))


def choose(asked: str | None, dev: Path | None = None, instead: str = INSTEAD) -> tuple[str, str]:
    """The backend to use, `cpu` or `gpu`, and a sentence where the choice needs one, else "".

    Asked for nothing, take the GPU where it answers.  Asked for `gpu`, raise BackendMissing with
    what is missing where it does not, and what to do `instead`.
    """
    if asked == "cpu":
        return "cpu", ""
    try:
        probe_gpu(dev)
    except BackendMissing as missing:
        if asked == "gpu":
            raise BackendMissing(f"{missing}; {instead}") from missing
        return "cpu", f"a GPU is visible but not used: {missing}" if gpu_files(dev) else ""
    return "gpu", ""


def probe_gpu(dev: Path | None = None) -> str:
    """One line naming the GPU.  Raises BackendMissing where it cannot be used."""
    if not gpu_files(dev):
        raise BackendMissing(
            f"backend gpu: no NVIDIA GPU is visible on this machine (no {dev or DEV}/nvidia0)"
        )
    if importlib.util.find_spec("judge.gpu") is None:
        raise BackendMissing("backend gpu: this version of the judge has none")
    try:
        return str(importlib.import_module("judge.gpu").probe())
    except ImportError as error:
        missing = error.name or error
        raise BackendMissing(f"backend gpu: python module {missing} is not installed") from error
