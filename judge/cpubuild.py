"""Submission -> shared library for the CPU backend: rewritten, compiled as C++ for the emulator.

    submission.cpp    macros, the submission rewritten, and the entry the judge calls
    submission.so     that, with the precompiled prelude, linked against the emulator's runtime

Prelude and runtime are made side by side when first needed; all stays in the cache.
"""

from __future__ import annotations

import re
import shlex
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from judge import allocators, build, diagnostics, entry, prebuilt, solve, variables
from judge.box import Event
from judge.boxed import Completed
from judge.build import Compiler
from judge.cache import Cache, Entry, digest
from judge.model import (
    Build,
    CompileError,
    Fault,
    Place,
    Reason,
    Spec,
    Verdict,
)
from judge.rewrite import Rewritten, rewrite
from judge.solve import Solve
from judge.source import local_headers, read

SECONDS = 20.0
"""A submission may keep the compiler busy so long."""

_LIBRARY = "submission.so"
_FOUND_SECONDS = 0.05
"""A runtime that is not there by then is being made."""

INCLUDE = prebuilt.INCLUDE
runtime_library = prebuilt.runtime_library


def compile(
    source: Path, spec: Spec, defines: Sequence[str], check: bool = False, debug: bool = False
) -> Build:
    """Build a submission.

    defines: `NAME` or `NAME=value`, macros as of -D
    check:   for the runtime that watches every access; the build is ten times slower
    debug:   without optimisation, with all that a debugger asks for
    Raises CompileError with the submission's fault, UserError for a source that cannot be read or
    a bad define, BackendMissing without a compiler.
    """
    started = time.perf_counter()
    text = read(source)
    macros = [entry.parse_define(one) for one in defines]
    called = solve.find(text, source, spec)
    headers = local_headers(source, text)
    files = {entry.label(source): str(source)}
    files.update({entry.label(one.path): str(source.parent / one.name) for one in headers})
    written = {"solve.h": entry.solve_header(spec)}
    rewritten = {str(source): rewrite(text)}
    for one in headers:
        rewritten[files[entry.label(one.path)]] = header = rewrite(one.text)
        written[one.name] = entry.marked(entry.label(one.path), header.text)
    has_ptx = any(text.has_ptx for text in rewritten.values())
    known = {name: kind for one in rewritten.values() for name, kind in one.variables.items()}
    written["submission.cpp"] = entry.translation_unit(
        *(entry.label(source), rewritten[str(source)].text, macros),
        *(called.callee, spec, has_ptx),
        variables=variables.table(known) if check else "",
    )
    cache, compiler = Cache(), build.find_compiler()
    key = digest(prebuilt.base_key(), *(part for item in written.items() for part in item))

    def make(folder: Path) -> Mapping[str, Any]:
        for name, content in written.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8", newline="")
        whole = "\n".join((text, *(one.text for one in headers)))
        kind = prebuilt.prelude_kind(whole, check, debug)
        link = allocators.WRAPPED if check else ()
        log = ""
        # The compiler shows lines of the files that #line names: let it read these, and no others.
        shown = (source.absolute(), *(one.path for one in headers))
        for argv, then, reads in _steps(compiler, kind, runtime, link):
            done = build.run(argv, folder, SECONDS, (*reads, *shown), then)
            log += done.output.decode("utf-8", "replace")
            if not (done.returncode or done.stopped):
                continue
            commands = " && ".join(shlex.join(one) for one in (argv, then) if one)
            log_path = cache.log(f"{source.stem}-{key[:8]}", f"{commands}\n{log}")
            found = _fault(done, log, files, called, spec)
            missing = rewritten[str(source)].unsupported
            if _is_directive(text, found, source) and missing:
                # An #error asks for an architecture, for the sake of what this backend has not.
                where = Place(str(source), missing[0][1])
                found = diagnostics.unsupported(missing[0][0], where, found.details)
            raise CompileError(_named(found, rewritten), commands, log, log_path)
        _keep_only(folder, _LIBRARY)
        names = {path: Path(name).name for path, name in files.items()}
        return {"warnings": diagnostics.warnings(log, names)}

    with ThreadPoolExecutor(1) as pool:  # where it is missing, it takes longest
        runtime = pool.submit(prebuilt.prebuilt, prebuilt.CHECKING if check else prebuilt.FAST)
        made = cache.make("submission" + "-check" * check + "-debug" * debug, key, make)
    seconds = time.perf_counter() - started
    return Build(
        library=made.path / _LIBRARY,
        source=source,
        seconds=seconds,
        cached=made.cached,
        compiler=compiler.version,
        warnings=tuple(made.notes["warnings"]),
        notes=solve.notes(called),
    )


def _is_directive(text: str, found: Fault, source: Path) -> bool:
    """Whether the fault is at an `#error` of the submission's own."""
    if found.place is None or found.place.file != str(source):
        return False
    lines = text.split("\n")[: found.place.line]
    return bool(lines) and re.match(r"\s*#\s*error\b", lines[-1]) is not None


def _named(found: Fault, rewritten: Mapping[str, Rewritten]) -> Fault:
    """An unsupported feature by the name that the rewriter knows: which instruction it is."""
    if found.reason is not Reason.UNSUPPORTED or found.place is None:
        return found
    made = rewritten.get(found.place.file)
    names = [name for name, line in made.unsupported if line == found.place.line] if made else []
    return diagnostics.unsupported(names[0], found.place, found.details) if names else found


def _steps(
    compiler: Compiler, kind: str, runtime: Future[Entry], link: Sequence[str]
) -> Iterator[tuple[list[str], list[str], tuple[Path, ...]]]:
    """The commands, each with one that follows it in the same box and what they read: compile, and
    link, with the further flags `link`; apart where the runtime is still being made.

    Nothing is linked with -fsanitize, which would bring the compiler's own runtime.
    """
    prelude = prebuilt.prebuilt(kind).path
    code = prebuilt.submission_code(compiler, kind)
    flags = [*compiler.command, "-pipe", *code, *prebuilt.warnings(compiler)]
    flags += [*prebuilt.prelude_flags(prelude), f"-I{INCLUDE}"]
    compiling = [*flags, "-c", "submission.cpp", "-o", "submission.o"]
    reads = (INCLUDE, prebuilt.RUNTIME, prelude)
    together = bool(wait([runtime], _FOUND_SECONDS).done)
    if not together:
        yield compiling, [], reads
    path = runtime.result().path
    linked = [f"{path}/{prebuilt.LIBRARY}", f"-Wl,-rpath,{path}"]
    flags = [*compiler.command, *prebuilt.CODE, *prebuilt.LINK, *link]
    linking = [*flags, "submission.o", "-o", _LIBRARY, *linked]
    yield (compiling, linking, (*reads, path)) if together else (linking, [], (path,))


def _fault(done: Completed, log: str, files: Mapping[str, str], called: Solve, spec: Spec) -> Fault:
    if done.stopped is None:
        found = diagnostics.fault(log, files)
        wrong = found.reason is Reason.SIGNATURE
        return solve.refused(called, spec, found.details) if wrong else found
    late = done.stopped is Event.TIME
    why = f" after {SECONDS:g} s" if late else f": {done.stopped.value}"
    message = f"the compiler was stopped{why}"
    return Fault(Verdict.CE, Reason.COMPILE, message, Place(str(called.source)))


def _keep_only(folder: Path, name: str) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != name:
            path.unlink()
