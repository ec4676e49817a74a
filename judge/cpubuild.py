"""Submission -> shared library for the CPU backend: rewritten, compiled as C++ for the emulator.

    submission.cpp    macros, the submission rewritten, and the entry the judge calls
    submission.so     that, with the precompiled prelude, linked against the emulator's runtime

Prelude and runtime are made side by side when first needed; all stays in the cache.
"""

from __future__ import annotations

import dataclasses
import re
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from judge import build, diagnostics, entry, prebuilt, signature
from judge.box import Completed, Event
from judge.cache import Cache, digest
from judge.model import (
    Build,
    CompileError,
    Fault,
    Place,
    Reason,
    Spec,
    Verdict,
)
from judge.rewrite import rewrite
from judge.signature import Declared
from judge.source import local_headers, read
from judge.tokens import Lines, nesting, tokenize

SECONDS = 20.0
"""A submission may keep the compiler busy so long."""

_LIBRARY = "submission.so"
_HALF = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:cuda_fp16\.h|mma\.h)[>\"]", re.MULTILINE)

INCLUDE = prebuilt.INCLUDE
runtime_library = prebuilt.runtime_library


def compile(source: Path, spec: Spec, defines: Sequence[str]) -> Build:
    """Build a submission.

    defines: `NAME` or `NAME=value`, macros as of -D
    Raises CompileError with the submission's fault, UserError for a source that cannot be read or
    a bad define, BackendMissing without a compiler.
    """
    started = time.perf_counter()
    text = read(source)
    macros = [entry.parse_define(one) for one in defines]
    solve = _find_solve(text, spec)
    _refuse(solve, text, source, spec)
    headers = local_headers(source, text)
    files = {str(source.absolute()): str(source)}
    files.update({str(one.path): str(source.parent / one.name) for one in headers})
    callee = f"{solve.declared.scope}solve" if solve.declared else "solve"
    written = {"solve.h": entry.solve_header(spec)}
    written.update(
        {one.name: entry.marked(str(one.path), rewrite(one.text).text) for one in headers}
    )
    written["submission.cpp"] = entry.translation_unit(
        str(source.absolute()), rewrite(text).text, macros, callee, spec
    )
    cache, compiler = Cache(), build.find_compiler()
    kinds = ("prelude-half" if _HALF.search(text) else "prelude", "runtime")
    with ThreadPoolExecutor(2) as pool:  # they are made side by side where they are missing
        prelude, runtime = pool.map(prebuilt.prebuilt, kinds)
    key = digest(prebuilt.base_key(), *(part for item in written.items() for part in item))

    def make(folder: Path) -> Mapping[str, Any]:
        for name, content in written.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8", newline="")
        argv = [
            *(*compiler.command, *prebuilt.CODE, *prebuilt.WARNINGS),
            *(
                *prebuilt.prelude_flags(compiler, prelude.path),
                f"-I{INCLUDE}",
                "submission.cpp",
                "-o",
                _LIBRARY,
                *prebuilt.LINK,
            ),
            *(f"{runtime.path}/{prebuilt.LIBRARY}", f"-Wl,-rpath,{runtime.path}"),
        ]
        done = build.run(argv, folder, SECONDS, readable=[cache.root, prebuilt.HERE])
        log = done.output.decode("utf-8", "replace")
        if done.returncode or done.stopped:
            log_path = cache.log(f"{source.stem}-{key[:8]}", f"{shlex.join(argv)}\n{log}")
            found = _fault(done, log, files, solve, source, spec)
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
        notes=_notes(solve, source),
    )


@dataclasses.dataclass(frozen=True)
class _Solve:
    """What the submission declares: `solve`, or else the functions that may be meant."""

    declared: Declared | None
    misses: Sequence[Declared]
    is_c: bool


def _find_solve(text: str, spec: Spec) -> _Solve:
    tokens = tokenize(text)
    functions = list(signature.find_functions(tokens, nesting(tokens), Lines(text)))
    declared = signature.choose(functions, spec)
    is_c = any(one.is_c for one in functions if one.name == "solve")
    prototype = re.search(r'#\s*include\s*["<]solve\.h[">]', text) is not None
    return _Solve(declared, signature.near_misses(functions, spec), is_c or prototype)


def _refuse(solve: _Solve, text: str, source: Path, spec: Spec) -> None:
    """Raise CompileError where no compiler is needed to tell that `solve` cannot be called.

    A `solve` in the text that is no declaration may be behind an open brace or comment: then the
    compiler has more to say.
    """
    fault = None
    if solve.declared:
        wrong = signature.mismatch(solve.declared, spec)
        where = Place(str(source), solve.declared.line)
        fault = Fault(Verdict.CE, Reason.SIGNATURE, wrong, where) if wrong else None
    elif not re.search(r"\bsolve\b", text):
        fault = _no_solve(solve, source, spec)
    if fault:
        raise CompileError(fault)


def _no_solve(solve: _Solve, source: Path, spec: Spec) -> Fault:
    message = f"no function solve, expected {spec.declaration()}"
    line = 0
    if solve.misses:
        line = solve.misses[0].line
        message += f"; '{solve.misses[0].name}' on line {line} may be meant: rename it"
    return Fault(Verdict.CE, Reason.NO_SOLVE_SYMBOL, message, Place(str(source), line))


def _notes(solve: _Solve, source: Path) -> tuple[str, ...]:
    if solve.is_c or solve.declared is None:
        return ()
    where = Place(str(source), solve.declared.line)
    return (
        f'{where}: solve has no extern "C": accepted here; '
        "other judges look for the C symbol solve",
    )


def _fault(
    done: Completed, log: str, files: Mapping[str, str], solve: _Solve, source: Path, spec: Spec
) -> Fault:
    if done.stopped is Event.TIME:
        message = f"the compiler was stopped after {SECONDS:g} s"
    elif done.stopped is not None:
        message = f"the compiler was stopped: {done.stopped.value}"
    else:
        found = diagnostics.fault(log, files)
        if found.reason is not Reason.SIGNATURE:
            return found
        if solve.declared is None:
            return _no_solve(solve, source, spec)
        message = f"solve: got {solve.declared.written()}, expected {spec.declaration()}"
        return dataclasses.replace(
            found, message=message, place=Place(str(source), solve.declared.line)
        )
    return Fault(Verdict.CE, Reason.COMPILE, message, Place(str(source)))


def _keep_only(folder: Path, name: str) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != name:
            path.unlink()
