"""Find the CUDA toolkit: nvcc, its version, the folders its libraries lie in, and its tools."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.model import BackendMissing

OLDEST = (12, 3)  # cudaFuncGetName, by which launches are named
_INSTALL = {
    "ncu": "install Nsight Compute (apt-get install nsight-compute, or the whole CUDA toolkit)",
    "compute-sanitizer": "install it with the CUDA toolkit (apt-get install cuda-sanitizer-13-0)",
}
_FOLDERS = ("/usr/local/cuda", "/opt/nvidia/nsight-compute", "/opt/cuda")


@dataclass(frozen=True)
class Toolkit:
    """nvcc as it is called, its version (`13.0`), and where its libraries are."""

    nvcc: Path
    version: str
    folders: tuple[Path, ...]


@functools.cache
def find() -> Toolkit:
    """The first toolkit that is new enough: CUDA_HOME, PATH, /usr/local/cuda, PyPI's wheels.

    Raises BackendMissing with what was found and what to install.
    """
    old = []
    for nvcc in dict.fromkeys(_candidates()):
        version = _version(nvcc)
        if version is None:
            continue
        if tuple(map(int, version.split("."))) >= OLDEST:
            return Toolkit(nvcc, version, _folders(nvcc))
        old.append(f"{nvcc} {version}")
    raise BackendMissing(
        f"backend gpu: nvcc: got {', '.join(old) or 'none'}, expected CUDA {OLDEST[0]}.{OLDEST[1]} "
        "or newer on PATH, in CUDA_HOME or from `pip install nvidia-cuda-nvcc`; use BACKEND=cpu "
        "until then"
    )


def library_folders() -> tuple[Path, ...]:
    """Where the toolkit's libraries are; empty without a toolkit."""
    try:
        return find().folders
    except BackendMissing:
        return ()


def tool(name: str) -> Path:
    """`ncu` or `compute-sanitizer`.  Raises BackendMissing with what to install."""
    for path in _tool_candidates(name):
        if path.is_file() and os.access(path, os.X_OK):
            return path
    raise BackendMissing(f"{name}: not found on PATH or in CUDA_HOME; {_INSTALL[name]}")


def tops(found: Toolkit) -> tuple[Path, ...]:
    """The folders a toolkit is installed in: that of its nvcc, and those above its libraries."""
    above = (top for folder in found.folders for top in folder.parents[:3])
    return tuple(dict.fromkeys(one for one in above if (one / "nvvm").is_dir()))


def _candidates() -> Iterator[Path]:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        home = os.environ.get(variable)
        if home:
            yield Path(home) / "bin" / "nvcc"
    on_path = shutil.which("nvcc")
    if on_path:
        yield Path(on_path)
    yield Path("/usr/local/cuda/bin/nvcc")
    yield from sorted(Path(sysconfig.get_path("purelib"), "nvidia").glob("*/bin/nvcc"))


def _version(nvcc: Path) -> str | None:
    answer = _ask(nvcc, "--version")
    match = re.search(r"release (\d+\.\d+)", answer)
    return match[1] if match else None


def _folders(nvcc: Path) -> tuple[Path, ...]:
    """Library folders below the toolkit's own idea of its top: nvcc may be a wrapper or a link."""
    told = _ask(nvcc, "--dryrun", "-c", "-x", "cu", os.devnull)
    match = re.search(r"^#\$ TOP=(.*)$", told, re.MULTILINE)
    top = Path(match[1]).resolve() if match else nvcc.resolve().parent.parent
    found = [top / "lib64", top / "lib", *sorted(top.glob("targets/*/lib"))]
    return tuple(dict.fromkeys(folder.resolve() for folder in found if folder.is_dir()))


def _ask(nvcc: Path, *arguments: str) -> str:
    try:
        done = subprocess.run([str(nvcc), *arguments], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def _tool_candidates(name: str) -> Iterator[Path]:
    on_path = shutil.which(name)
    if on_path:
        yield Path(on_path)
    homes = [os.environ[v] for v in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(v)]
    homes += [str(folder.parent) for folder in library_folders()]
    for home in (*homes, *_FOLDERS):
        for pattern in ("bin", "compute-sanitizer", "nsight-compute*", "*"):
            yield from (found / name for found in sorted(Path(home).glob(pattern), reverse=True))
    packages = Path(sysconfig.get_path("purelib"), "nvidia")
    yield from sorted(packages.glob(f"*/bin/{name}"))
    yield from sorted(packages.glob(f"*/compute-sanitizer/{name}"))
