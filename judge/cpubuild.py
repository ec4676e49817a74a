"""Submission -> shared library for the CPU backend: rewritten, compiled as C++ for the emulator.

    prelude.h, prelude.h.gch    cuda_runtime.h, as nvcc includes it by itself, precompiled   once
    libcuda_emu.so              the runtime of the emulator                                  once
    submission.so               the submission and its entry, linked against it        by content

The first two are made side by side when first needed; all three stay in the cache.  A submission
that includes cuda_fp16.h gets a prelude that has it already: that header is a third of the time.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from judge import build, diagnostics, entry, signature
from judge.box import Completed, Event
from judge.build import Compiler
from judge.cache import Cache, Entry, digest, digest_tree
from judge.model import (
    Build,
    CompileError,
    Fault,
    JudgeError,
    Place,
    Reason,
    Spec,
    Verdict,
)
from judge.rewrite import rewrite
from judge.signature import Declared
from judge.source import local_headers, read
from judge.tokens import Lines, nesting, tokenize

_HERE = Path(__file__).resolve().parent
INCLUDE, RUNTIME = _HERE / "include", _HERE / "emu"
_PRELUDE = "prelude.h"
_HALF = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:cuda_fp16\.h|mma\.h)[>\"]", re.MULTILINE)
_LIBRARY, _RUNTIME_LIBRARY = "submission.so", "libcuda_emu.so"

# -fwrapv, -fno-strict-aliasing: nvcc does not use what C++ leaves undefined there.
# initial-exec: a __shared__ array is thread-local and must cost no call.
_CODE = (
    *("-std=gnu++17", "-O2", "-march=native", "-fPIC", "-fno-strict-aliasing", "-fwrapv"),
    *("-ftls-model=initial-exec", "-fno-semantic-interposition", "-pthread"),
    # DWARF 5 line tables are read one file off by addr2line of binutils before 2.41.
    *("-g1", "-gdwarf-4"),
)
# What people's kernels are full of, and what says nothing about right and wrong.
_WARNINGS = (
    *("-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Wno-sign-compare", "-Wno-attributes"),
    *("-Wno-unused-parameter", "-Wno-unused-variable", "-Wno-unused-function", "-Wno-comment"),
    *("-Wno-unused-but-set-variable", "-Wno-missing-field-initializers", "-Wno-psabi"),
    *("-Wno-maybe-uninitialized",),
)
_LINK = ("-shared", "-Wl,-z,defs", "-Wl,-z,now")


def compile(source: Path, spec: Spec, defines: Sequence[str]) -> Build:
    """Build a submission.

    defines: `NAME` or `NAME=value`, macros as of -D
    Raises CompileError with the submission's fault, UserError for a source that cannot be read or
    a bad define, BackendMissing without a compiler.
    """
    started = time.perf_counter()
    text = read(source)
    macros = [entry.parse_define(one) for one in defines]
    solve, notes = _find_solve(text, source, spec)
    headers = local_headers(source, text)
    files = {str(source.absolute()): str(source)}
    files.update({str(one.path): str(source.parent / one.name) for one in headers})
    written = {"solve.h": entry.solve_header(spec)}
    written.update(
        {one.name: entry.marked(str(one.path), rewrite(one.text).text) for one in headers}
    )
    written["submission.cpp"] = entry.translation_unit(
        str(source.absolute()), rewrite(text).text, macros, f"{solve.scope}solve", spec
    )
    cache, compiler = Cache(), build.find_compiler()
    kinds = ("prelude-half" if _HALF.search(text) else "prelude", "runtime")
    with ThreadPoolExecutor(2) as pool:  # they are made side by side where they are missing
        prelude, runtime = pool.map(_prebuilt, kinds)
    key = digest(_base_key(), *(part for item in written.items() for part in item))

    def make(folder: Path) -> Mapping[str, Any]:
        for name, content in written.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8", newline="")
        argv = [
            *(*compiler.command, *_CODE, *_WARNINGS, *_prelude_flags(compiler, prelude.path)),
            *(f"-I{INCLUDE}", "submission.cpp", "-o", _LIBRARY, *_LINK),
            *(f"{runtime.path}/{_RUNTIME_LIBRARY}", f"-Wl,-rpath,{runtime.path}"),
        ]
        done = build.run(argv, folder, readable=[cache.root, _HERE])
        log = done.output.decode("utf-8", "replace")
        if done.returncode or done.stopped:
            log_path = cache.log(f"{source.stem}-{key[:8]}", f"{shlex.join(argv)}\n{log}")
            found = _fault(done, log, files, solve, spec)
            raise CompileError(found, shlex.join(argv), log, log_path)
        _keep_only(folder, _LIBRARY)
        names = {path: Path(name).name for path, name in files.items()}
        return {"warnings": diagnostics.warnings(log, names)}

    made = cache.make("submission", key, make)
    seconds = time.perf_counter() - started
    return Build(
        library=made.path / _LIBRARY,
        source=source,
        seconds=seconds,
        cached=made.cached,
        compiler=compiler.version,
        warnings=tuple(made.notes["warnings"]),
        notes=notes,
    )


def runtime_library() -> Path:
    """The emulator's runtime, built if need be.  Raises JudgeError if it does not build."""
    return _prebuilt("runtime").path / _RUNTIME_LIBRARY


def _find_solve(text: str, source: Path, spec: Spec) -> tuple[Declared, tuple[str, ...]]:
    """How to call `solve`, and what to say about its declaration.  Raises CompileError."""
    tokens = tokenize(text)
    functions = list(signature.find_functions(tokens, nesting(tokens), Lines(text)))
    declared = signature.choose(functions, spec)
    if declared is None:
        misses = signature.near_misses(functions, spec)
        message = f"no function solve, expected {spec.declaration()}"
        if misses:
            message += f"; '{misses[0].name}' on line {misses[0].line} may be meant: rename it"
        where = Place(str(source), misses[0].line if misses else 0)
        raise CompileError(Fault(Verdict.CE, Reason.NO_SOLVE_SYMBOL, message, where))
    wrong = signature.mismatch(declared, spec)
    if wrong:
        where = Place(str(source), declared.line)
        raise CompileError(Fault(Verdict.CE, Reason.SIGNATURE, wrong, where))
    includes_prototype = re.search(r'#\s*include\s*["<]solve\.h[">]', text)
    is_c = includes_prototype or any(one.is_c for one in functions if one.name == "solve")
    note = (
        f'{source}:{declared.line}: solve has no extern "C": accepted here; '
        "other judges look for the C symbol solve"
    )
    return declared, () if is_c else (note,)


def _fault(
    done: Completed, log: str, files: Mapping[str, str], solve: Declared, spec: Spec
) -> Fault:
    source = next(iter(files.values()))
    if done.stopped is Event.TIME:
        message = f"the compiler was stopped after {build.SECONDS:g} s"
    elif done.stopped is not None:
        message = f"the compiler was stopped: {done.stopped.value}"
    else:
        found = diagnostics.fault(log, files)
        if found.reason is not Reason.SIGNATURE:
            return found
        message = f"solve: got {solve.written()}, expected {spec.declaration()}"
        return dataclasses.replace(found, message=message, place=Place(source, solve.line))
    return Fault(Verdict.CE, Reason.COMPILE, message, Place(source))


def _prebuilt(kind: str) -> Entry:
    """`prelude`, `prelude-half` or `runtime`, from the cache or made now."""
    compiler, cache = build.find_compiler(), Cache()
    headers = ("cuda_runtime.h", *(["cuda_fp16.h"] if kind == "prelude-half" else []))
    if kind == "runtime":
        maker = functools.partial(_make_runtime, compiler, cache)
    else:
        maker = functools.partial(_make_prelude, headers, compiler, cache)
    return cache.make(kind, _base_key(), maker)


def _make_prelude(
    headers: Sequence[str], compiler: Compiler, cache: Cache, folder: Path
) -> Mapping[str, Any]:
    header = folder / _PRELUDE
    header.write_text("".join(f"#include <{name}>\n" for name in headers))
    suffix = ".gch" if compiler.family == "g++" else ".pch"
    argv = [
        *(*compiler.command, *_CODE, *_WARNINGS, f"-I{INCLUDE}"),
        *("-x", "c++-header", header.name, "-o", header.name + suffix),
    ]
    _run_own("the CUDA headers", argv, folder, cache)
    return {}


def _make_runtime(compiler: Compiler, cache: Cache, folder: Path) -> Mapping[str, Any]:
    argv = [
        *(*compiler.command, *_CODE, *_LINK, f"-I{INCLUDE}"),
        *(str(RUNTIME / "all.cc"), str(RUNTIME / "context_switch.S")),
        *(f"-Wl,-soname,{_RUNTIME_LIBRARY}", "-ldl", "-o", _RUNTIME_LIBRARY),
    ]
    _run_own("the emulator's runtime", argv, folder, cache)
    return {}


def _run_own(what: str, argv: Sequence[str], folder: Path, cache: Cache) -> None:
    """Compile what is ours: a failure is the judge's or the machine's."""
    done = build.run(argv, folder, seconds=120, readable=[cache.root, _HERE])
    if done.returncode or done.stopped:
        log = done.output.decode("utf-8", "replace")
        path = cache.log("judge", f"{shlex.join(argv)}\n{log}")
        first = next((one.message for one in diagnostics.parse(log) if one.is_error), "stopped")
        raise JudgeError(f"{what} do not compile: {first}; the whole log is {path}")


def _prelude_flags(compiler: Compiler, folder: Path) -> list[str]:
    header = folder / _PRELUDE
    if compiler.family == "g++":
        return ["-include", str(header)]
    return ["-include-pch", f"{header}.pch"]


def _keep_only(folder: Path, name: str) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != name:
            path.unlink()


@functools.cache
def _base_key() -> str:
    """Of all that goes into every build: compiler, flags, headers, runtime."""
    compiler = build.find_compiler()
    return digest(compiler.key, *_CODE, *_WARNINGS, *_LINK, digest_tree(INCLUDE, RUNTIME))
