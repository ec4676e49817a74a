"""Submission -> both halves for the GPU, compiled side by side in a box, kept by content.

submission.cu + entry + recorder  -> nvcc -shared -> submission.so     `solve` and its launches
kernels.cu (the submission alone) -> nvcc --cubin -> submission.cubin  for pycuda's SourceModule
recorder.o, gate.o                                                     once, for each device
judge.cubin                                                            the judge's own kernels
"""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from judge import build, entry, nvcclog, solve, toolkit
from judge.cache import Cache, Entry, digest, digest_tree
from judge.model import (
    Build,
    CompileError,
    JudgeError,
    KernelUse,
    Spec,
)
from judge.source import local_headers, read
from judge.toolkit import Toolkit

_HERE = Path(__file__).resolve().parent
OWN = _HERE / "cuda"
_ENTRY_HEADER = _HERE / "include" / "detail" / "entry.h"
SECONDS = 120.0
_CODE = ("-std=c++17", "-O3", "-lineinfo")
# The recorder must come first for every runtime call the submission makes: -Bsymbolic.
_HOST = ("-shared", "-cudart", "shared", "-Xcompiler", "-fPIC,-g1", "-Xlinker", "-Bsymbolic")
_LIBRARIES = {
    "cublas_v2.h": "cublas",
    "cublas.h": "cublas",
    "cublasLt.h": "cublasLt",
    "curand.h": "curand",
    "cufft.h": "cufft",
    "cusparse.h": "cusparse",
    "cusolverDn.h": "cusolver",
}
_NATIVE = {(9, 0): "sm_90a", (10, 0): "sm_100a", (10, 3): "sm_103a", (12, 0): "sm_120a"}
"""Chips whose own instructions (wgmma, tcgen05) need the `a` target; it runs nowhere else."""

_NO_LAUNCH: Mapping[str, Any] = {
    "grid": (0, 0, 0),
    "block": (0, 0, 0),
    "dynamic_shared_bytes": 0,
    "count": 0,
}


def target(capability: tuple[int, int]) -> str:
    """The architecture to compile for: the real one, with its own instructions."""
    return _NATIVE.get(capability, f"sm_{capability[0]}{capability[1]}")


def _target_flags(arch: str) -> tuple[str, str]:
    """For this device alone.

    The short form -arch=sm_90a also runs a pass for plain sm_90, in which a submission that asks
    for the chip's own instructions does not compile.
    """
    return "-gencode", f"arch={arch.replace('sm', 'compute')},code={arch}"


def compile(source: Path, spec: Spec, defines: Sequence[str], capability: tuple[int, int]) -> Build:
    """Build both halves.

    Raises CompileError with the submission's fault, UserError for a source that cannot be read or
    a bad define, BackendMissing where nvcc is missing or does not work with the host compiler.
    """
    started = time.perf_counter()
    text = read(source)
    macros = [entry.parse_define(one) for one in defines]
    called = solve.find(text, source, spec)
    headers = local_headers(source, text)
    files = {entry.label(one.path): str(source.parent / one.name) for one in headers}
    path = entry.label(source)
    files[path] = str(source)
    written = {one.name: entry.marked(entry.label(one.path), one.text) for one in headers}
    written["solve.h"] = entry.solve_header(spec)
    written["detail/entry.h"] = _ENTRY_HEADER.read_text()
    written["submission.cu"] = entry.translation_unit(path, text, macros, called.callee, spec)
    written["kernels.cu"] = entry.macro_lines(macros) + entry.marked(path, text)
    found, cache, arch = toolkit.find(), Cache(), target(capability)
    recorder = _recorder(found, cache, arch)
    key = digest(_base_key(found, arch), *(part for item in written.items() for part in item))

    def make(folder: Path) -> Mapping[str, Any]:
        for name, content in written.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8", newline="")
        common = [str(found.nvcc), *_target_flags(arch), *_CODE, "-I."]
        host = [*common, *_HOST, *_linked(found, text), "submission.cu"]
        host += [f"{recorder.path}/{name}.o" for name in ("recorder", "gate")]
        jobs = [
            [*host, "-o", "submission.so"],
            [*common, "--cubin", "-Xptxas", "-v", "kernels.cu", "-o", "submission.cubin"],
        ]
        reads = [source.absolute(), recorder.path, *toolkit.tops(found)]
        reads += [one.path for one in headers]
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda job: build.run(job, folder, SECONDS, reads), jobs))
        logs = [one.output.decode("utf-8", "replace") for one in done]
        for argv, one, log in zip(jobs, done, logs, strict=True):
            if one.returncode or one.stopped:
                command = shlex.join(argv)
                kept = cache.log(f"{source.stem}-{key[:8]}", f"{command}\n{log}")
                raise CompileError(nvcclog.fault(one, log, files, called, spec), command, log, kept)
        for name in written:
            (folder / name).unlink()
        (folder / "detail").rmdir()
        told = logs[1]
        return {"warnings": nvcclog.warnings(told, files), "kernels": nvcclog.resources(told)}

    made = cache.make("gpu", key, make)
    return Build(
        library=made.path / "submission.so",
        source=source,
        seconds=time.perf_counter() - started,
        cached=made.cached,
        compiler=f"nvcc {found.version} for {arch}",
        warnings=tuple(made.notes["warnings"]),
        notes=solve.notes(called),
        cubin=made.path / "submission.cubin",
        kernels=tuple(KernelUse(**_NO_LAUNCH, **one) for one in made.notes["kernels"]),
    )


def own_kernels(capability: tuple[int, int]) -> bytes:
    """The judge's own kernels (judge/cuda/kernels.cu), compiled.  Raises JudgeError."""
    found, cache, arch = toolkit.find(), Cache(), target(capability)

    def make(folder: Path) -> Mapping[str, Any]:
        argv = [str(found.nvcc), *_target_flags(arch), *_CODE, "--cubin", str(OWN / "kernels.cu")]
        _run_own([*argv, "-o", "judge.cubin"], folder, cache, found)
        return {}

    made = cache.make("kernels", _base_key(found, arch), make)
    return (made.path / "judge.cubin").read_bytes()


def _recorder(found: Toolkit, cache: Cache, arch: str) -> Entry:
    """What is linked into every submission, compiled."""

    def make(folder: Path) -> Mapping[str, Any]:
        for name in ("recorder.cpp", "gate.cu"):
            argv = [str(found.nvcc), *_target_flags(arch), *_CODE, "-Xcompiler", "-fPIC", "-c"]
            _run_own([*argv, str(OWN / name), "-o", f"{Path(name).stem}.o"], folder, cache, found)
        return {}

    return cache.make("recorder", _base_key(found, arch), make)


def _run_own(argv: Sequence[str], folder: Path, cache: Cache, found: Toolkit) -> None:
    """Compile what is ours: a failure is the toolkit's or the judge's, never the submission's."""
    done = build.run(argv, folder, SECONDS, [OWN, *toolkit.tops(found)])
    if done.returncode or done.stopped:
        log = done.output.decode("utf-8", "replace")
        nvcclog.check_toolkit(log)
        kept = cache.log("judge", f"{shlex.join(argv)}\n{log}")
        raise JudgeError(f"the judge's CUDA code does not compile; the log is {kept}")


def _linked(found: Toolkit, text: str) -> list[str]:
    """Flags for the libraries a submission includes the headers of."""
    used = re.findall(r'^[ \t]*#[ \t]*include[ \t]*[<"]([\w./]+)[>"]', text, re.MULTILINE)
    names = dict.fromkeys(_LIBRARIES[one] for one in used if one in _LIBRARIES)
    folders = [flag for folder in found.folders for flag in ("-Xlinker", f"-rpath={folder}")]
    return [*folders, *(f"-l{name}" for name in names)]


def _base_key(found: Toolkit, arch: str) -> str:
    entry_header = _ENTRY_HEADER.read_bytes()
    return digest(
        str(found.nvcc), found.version, arch, *_CODE, *_HOST, entry_header, digest_tree(OWN)
    )
