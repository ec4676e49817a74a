"""What this machine has and lacks, piece by piece, with what a missing one would give and the fix.

FAIL is for what every run needs, CAUTION for what only makes a run better.  Looks and asks for
versions; installs and changes nothing.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from judge import cgroup, devices, isolation, toolkit
from judge.confine import bubblewrap
from judge.find import ROOT
from judge.leetgpu import process
from judge.model import BackendMissing, JudgeError, UserError
from judge.pieces import Finding, Level
from judge.printable import printable

# C++17 with the fixes our headers rely on.
OLDEST_GXX = 9
OLDEST_PYTHON = (3, 10)
_VERSION_SECONDS = 20


def examine() -> Iterator[Finding]:
    """Look at everything, most needed first."""
    checks: tuple[Callable[[], Finding], ...] = (
        _system,
        _python,
        _packages,
        _gxx,
        _make,
        _addr2line,
        _results,
        _cores,
        _bubblewrap,
        _cgroups,
        _torch,
        _nvcc,
        _gpu,
        _pycuda,
        _ncu,
        _sanitizer,
    )
    for check in checks:
        yield check()


def boundaries() -> tuple[str, ...]:
    """What is enforced around a submission on this machine, and what is not."""
    return tuple(isolation.sentences(isolation.offered()))


def _system() -> Finding:
    found = f"{platform.system()} {platform.release()} {platform.machine()}"
    if platform.system() == "Linux":
        return Finding("system", Level.PASS, found)
    return Finding("system", Level.FAIL, found, "shared memory and limits", "use Linux, or WSL2")


def _python() -> Finding:
    found = f"{platform.python_version()} at {sys.executable}"
    level = Level.PASS if sys.version_info >= OLDEST_PYTHON else Level.FAIL
    return Finding("python", level, found, fix="" if level is Level.PASS else "install python3.10+")


def _packages() -> Finding:
    """The packages a run imports."""
    names = {"numpy": "numpy", "yaml": "pyyaml", "rich": "rich"}
    missing = [p for module, p in names.items() if importlib.util.find_spec(module) is None]
    if missing:
        found = f"missing: {', '.join(missing)}"
        return Finding("packages", Level.FAIL, found, "every command", "make setup")
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in names.values())
    return Finding("packages", Level.PASS, versions)


def _gxx() -> Finding:
    gives, fix = "the CPU backend", f"apt-get install g++  (version {OLDEST_GXX} or newer)"
    version = _answer("g++", "-dumpfullversion")
    if version is None:
        return Finding("g++", Level.FAIL, "not found", gives, fix)
    old = not version.split(".")[0].isdigit() or int(version.split(".")[0]) < OLDEST_GXX
    if old:
        return Finding("g++", Level.FAIL, f"{version} is too old", gives, fix)
    return Finding("g++", Level.PASS, f"{version} at {shutil.which('g++')}")


def _make() -> Finding:
    version = _answer("make", "--version")
    if version is not None and version.startswith("GNU Make"):
        return Finding("make", Level.PASS, version)
    found = version or "not found"
    fix = "apt-get install make, or use .venv/bin/python -m judge"
    return Finding("make", Level.CAUTION, found, "the short commands", fix)


def _addr2line() -> Finding:
    if version := _answer("addr2line", "--version"):
        return Finding("addr2line", Level.PASS, version)
    gives = "the line of a crash (without it: the kernel and the thread)"
    return Finding("addr2line", Level.CAUTION, "not found", gives, "apt-get install binutils")


def _results() -> Finding:
    """Where builds, logs and the history go."""
    closed = [
        folder.name
        for folder in (ROOT / "build", ROOT / "results")
        if not os.access(folder if folder.exists() else ROOT, os.W_OK | os.X_OK)
    ]
    free_gib = shutil.disk_usage(ROOT).free / 2**30
    if closed:
        fix = "make the folder writable; verdicts are right without it"
        found = f"not writable: {', '.join(closed)}"
        return Finding("folders", Level.CAUTION, found, "cached builds and a history", fix)
    level = Level.PASS if free_gib > 1 else Level.CAUTION
    return Finding("folders", level, f"writable, {free_gib:.0f} GiB free in {ROOT}")


def _cores() -> Finding:
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    level = Level.PASS if count and count >= 2 else Level.CAUTION
    gives = "" if level is Level.PASS else "inputs made while the compiler runs"
    return Finding("cores", level, f"{count} usable", gives)


def _bubblewrap() -> Finding:
    """A second way to keep submissions in: needed only where the kernel's own lack something."""
    if path := bubblewrap():
        return Finding("bubblewrap", Level.PASS, path)
    installed = shutil.which("bwrap") is not None
    found = "installed, but does not work here" if installed else "not found"
    gained = isolation.gained(isolation.BUBBLEWRAP, isolation.offered())
    if not gained:
        return Finding("bubblewrap", Level.PASS, f"{found}, and not needed: see below")
    gives = f"what nothing enforces here: {', '.join(gained)}; see below"
    fix = "allow user namespaces" if installed else "apt-get install bubblewrap"
    return Finding("bubblewrap", Level.CAUTION, found, gives, fix)


def _cgroups(root: Path = Path("/sys/fs/cgroup")) -> Finding:
    """Information only: without a group of its own the judge samples memory and processes."""
    try:
        folder = cgroup.parent()
    except UserError as error:
        return Finding("cgroups", Level.FAIL, printable(str(error)))
    if folder is not None:
        return Finding("cgroups", Level.PASS, f"version 2, boxes in {folder}")
    if (root / "cgroup.controllers").is_file():
        used = "not delegated: memory and processes are sampled; see judge/cgroup.py"
        return Finding("cgroups", Level.PASS, f"version 2 ({used})")
    found = "version 1" if (root / "memory").is_dir() else "not found"
    gives = "nothing the judge uses: memory and processes are sampled"
    return Finding("cgroups", Level.PASS, f"{found} ({gives})")


def _nvcc() -> Finding:
    answer = _answer("nvcc", "--version", line="release")
    if answer is not None:
        return Finding("nvcc", Level.PASS, answer)
    gives = "the GPU backend (the CPU backend needs no CUDA)"
    return Finding("nvcc", Level.CAUTION, "not found", gives, "install the CUDA toolkit")


def _gpu() -> Finding:
    try:
        found = devices.probe_gpu()
    except BackendMissing as missing:
        files = devices.gpu_files()
        found = str(missing).split(";")[0].removeprefix("backend gpu: ")
        gives = "kernel times, and the real hardware's word"
        fix = "" if files else "none needed: verdicts come from the CPU backend"
        return Finding("gpu", Level.CAUTION, found, gives, fix)

    from judge import gpu  # with pycuda, which is there where a GPU answers

    try:
        return Finding("gpu", Level.PASS, f"{found}; {gpu.buffers()}")
    except JudgeError as error:
        gives, fix = "the GPU backend", "BACKEND=cpu until it does"
        return Finding("gpu", Level.CAUTION, f"{found}; no worker starts: {error}", gives, fix)


def _pycuda() -> Finding:
    if importlib.util.find_spec("pycuda") is not None:
        return Finding("pycuda", Level.PASS, importlib.metadata.version("pycuda"))
    fix = "make setup, on a machine with a GPU and nvcc"
    return Finding("pycuda", Level.CAUTION, "not installed", "the GPU backend", fix)


def _torch() -> Finding:
    """Looked up, not loaded: that takes seconds, and only a challenge's own process does it."""
    if importlib.util.find_spec("torch") is not None:
        return Finding("torch", Level.PASS, importlib.metadata.version("torch"))
    gives = "`--leetgpu`: challenges of your own LeetGPU checkout"
    return Finding("torch", Level.CAUTION, "not installed", gives, process.install())


def _ncu() -> Finding:
    return _tool("ncu", "ncu", "`make profile`: what limits a kernel on a GPU")


def _sanitizer() -> Finding:
    gives = "`make sanitize`: bad accesses and races on a GPU"
    return _tool("sanitizer", "compute-sanitizer", gives)


def _tool(name: str, program: str, gives: str) -> Finding:
    """One of NVIDIA's tools, which the judge finds beside the toolkit too."""
    try:
        path = str(toolkit.tool(program))
    except BackendMissing as missing:
        found, fix = str(missing).split("; ")
        return Finding(name, Level.CAUTION, found, gives, fix)
    version = _answer(path, "--version", line="Version") or "version unknown"
    return Finding(name, Level.PASS, f"{program}, {version} at {path}")


def _answer(program: str, argument: str, line: str = "") -> str | None:
    """The first line (that holds `line`) of what a program says; None if it is not there."""
    path = shutil.which(program)
    if path is None:
        return None
    try:
        done = subprocess.run(
            [path, argument], capture_output=True, text=True, timeout=_VERSION_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    lines = [text for text in done.stdout.splitlines() if line in text]
    return printable(lines[0].strip(), 80) if lines else None
