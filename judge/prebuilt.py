"""What every build for the CPU backend needs, compiled once and kept in the cache.

    prelude.h, prelude.h.gch    cuda_runtime.h, as nvcc includes it by itself, precompiled
    libcuda_emu.so              the runtime of the emulator

A submission that includes cuda_fp16.h, or much of the C++ library, gets a prelude that has it
already, because parsing those headers takes longer than all the rest.
A check build (judge/kernelcheck.py) has a runtime and preludes of its own, of kinds that end in
`-check`; under the `lockstep` runtime the lanes of its warps advance together (judge/lockstep.py).
What a debugger is to show (judge/debug.py) has preludes that end in `-debug`, and the fast runtime.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from judge import allocators, build, diagnostics
from judge.build import Compiler
from judge.cache import Cache, Entry, digest, digest_tree
from judge.model import JudgeError, UserError

HERE = Path(__file__).resolve().parent
INCLUDE, RUNTIME = HERE / "include", HERE / "emu"
_CHECK, _DEBUG = "-check", "-debug"
FAST, CHECKING, LOCKSTEP = "runtime", "runtime-check", "runtime-lockstep"
"""The runtimes; the last two are for check builds."""
_SWITCH = {FAST: (), CHECKING: ("-DEMU_CHECK",), LOCKSTEP: ("-DEMU_LOCKSTEP",)}
PRELUDE, LIBRARY = "prelude.h", "libcuda_emu.so"
_SECONDS = 120.0

# -fwrapv, -fno-strict-aliasing: nvcc does not use what C++ leaves undefined there.
# -fsigned-char: a plain char is signed where submissions are timed, on x86-64.
# initial-exec: a __shared__ array is thread-local and must cost no call.
CODE = (
    *("-std=gnu++17", "-O2", "-march=native", "-fPIC", "-fno-strict-aliasing", "-fwrapv"),
    *("-ftls-model=initial-exec", "-fno-semantic-interposition", "-pthread", "-fsigned-char"),
    # DWARF 5 line tables are read one file off by addr2line of binutils before 2.41.
    *("-g1", "-gdwarf-4"),
)
# For submissions with pointer casts or inline PTX: a half2 at an odd element faults on a GPU.  The
# runtime serves the check.  Not passed where things are linked: it would ask for the library of the
# compiler.
_ALIGNMENT = "-fsanitize=alignment"
_CAST = re.compile(r"reinterpret_cast|\basm\b|__asm|\*\s*(?:const|volatile|__restrict__)?\s*\)")
# Every access of memory calls the runtime, which takes the place of libtsan and libubsan.
CHECK = ("-O1", "-fsanitize=thread,bounds,alignment")
# Every variable stays where a debugger finds it.
_TO_DEBUG = ("-O0", "-g", "-gdwarf-4")
_CHECK_OF_FAMILY = {
    # Code in the order of the source: it is how lockstep knows which lane is behind another.
    "g++": ("--param", "tsan-distinguish-volatile=1", "-fno-reorder-blocks"),
    "clang++": ("-mllvm", "-tsan-distinguish-volatile"),
}
# What people's kernels are full of, and what says nothing about right and wrong.
_WARNINGS = (
    *("-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Wno-sign-compare", "-Wno-attributes"),
    *("-Wno-unused-parameter", "-Wno-unused-variable", "-Wno-unused-function", "-Wno-comment"),
    *("-Wno-unused-but-set-variable", "-Wno-missing-field-initializers", "-Wno-psabi"),
    *("-Wno-maybe-uninitialized",),
)
_OF_FAMILY = {
    "g++": ("-fmax-errors=20",),
    "clang++": (
        *("-ferror-limit=20", "-Wno-unknown-warning-option", "-Wno-unused-command-line-argument"),
    ),
}
# Parts of the runtime: what runs at every switch of threads, what reads the CUDA headers.
_HOT = ("scheduler.cpp", "barrier.cpp", "warp.cpp", "blocks.cpp", "pool.cpp", "stacks.cpp")
_API = ("api.cpp",)
_LISTENING = {
    FAST: (),
    CHECKING: ("check.cpp", "heap.cpp", "sanitizer.cpp", "shadow.cpp"),
    LOCKSTEP: ("heap.cpp", "lockstep.cpp", "sanitizer.cpp"),
}
LINK = ("-shared", "-Wl,-z,defs", "-Wl,-z,now")
_HALF = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:cuda_fp16\.h|mma\.h)[>\"]", re.MULTILINE)
_LIBRARY_HEADERS = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*<(?:algorithm|functional|iostream|numeric|random|string|vector)>",
    re.MULTILINE,
)
# Bessel functions and their like instantiate templates in every build: 0.04 s for nobody.
_NO_SPECIAL_FUNCTIONS = """\
#include <cstddef>
#ifdef __GLIBCXX__
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0
#endif
"""


def prelude_kind(text: str, check: bool, debug: bool = False) -> str:
    """Which prelude serves a submission best."""
    parts = {"-library": _LIBRARY_HEADERS, "-half": _HALF, "-aligned": _CAST}
    kind = "prelude" + "".join(part for part, sign in parts.items() if sign.search(text))
    plain = kind.removesuffix("-aligned")
    return plain + _CHECK if check else plain + _DEBUG if debug else kind


def submission_code(compiler: Compiler, kind: str) -> tuple[str, ...]:
    """The flags of a submission that this prelude serves; a prelude is of no use under others.

    Without a cast no address can be misaligned, and the check of alignment is not free.
    """
    if kind.endswith(_CHECK):
        return tuple(code(compiler, check=True))
    if kind.endswith(_DEBUG):
        return (*CODE, *_TO_DEBUG)
    return (*CODE, _ALIGNMENT) if kind.endswith("-aligned") else CODE


def prebuilt(kind: str) -> Entry:
    """A prelude or the `runtime`, or one for a check build, from the cache or made now."""
    compiler, cache = build.find_compiler(), _cache()
    headers = ["detail/prelude.h" if "-library" in kind else "cuda_runtime.h"]
    headers += ["cuda_fp16.h"] if "-half" in kind else []
    if kind in _SWITCH:
        maker = functools.partial(_make_runtime, compiler, cache, kind)
    else:
        flags = submission_code(compiler, kind)
        maker = functools.partial(_make_prelude, headers, flags, compiler, cache)
    return cache.make(kind, base_key(), maker)


def _cache() -> Cache:
    """In the virtual environment, as a part of it: a cleaned build folder costs no rebuild."""
    if "JUDGE_CACHE" in os.environ or sys.prefix == sys.base_prefix:
        return Cache()
    try:
        return Cache(Path(sys.prefix) / "share" / "cuda-judge")
    except UserError:  # somebody else's environment
        return Cache()


def make_all() -> None:
    """Make what most submissions need, ahead of the first: part of setting up.

    Raises BackendMissing without a compiler, JudgeError if it does not build.
    """
    with ThreadPoolExecutor(2) as pool:
        kinds = ("runtime", "prelude-half", "prelude-half-aligned")
        list(pool.map(prebuilt, (*kinds, "runtime-check", "prelude-half-check")))


def runtime_library(kind: str = FAST) -> Path:
    """The emulator's runtime, built if need be.  Raises JudgeError if it does not build."""
    return prebuilt(kind).path / LIBRARY


def _make_prelude(
    headers: Sequence[str],
    flags: Sequence[str],
    compiler: Compiler,
    cache: Cache,
    folder: Path,
) -> Mapping[str, Any]:
    header = folder / PRELUDE
    includes = "".join(f"#include <{name}>\n" for name in headers)
    header.write_text(_NO_SPECIAL_FUNCTIONS + includes)
    if compiler.family == "g++":
        argv = [
            *(*compiler.command, *flags, *warnings(compiler), f"-I{INCLUDE}"),
            *("-x", "c++-header", header.name, "-o", header.name + ".gch"),
        ]
        _run_own("the CUDA headers", argv, folder, cache)
    return {}


def _make_runtime(compiler: Compiler, cache: Cache, kind: str, folder: Path) -> Mapping[str, Any]:
    """Compile in parts, side by side; only what runs at every barrier is worth -O2."""
    call = [*compiler.command, *CODE, f"-I{INCLUDE}", f"-I{RUNTIME}"]
    left = [one.name for one in RUNTIME.glob("*.cpp") if one.name not in (*_HOT, *_API)]
    parts = {"hot": _HOT, "api": _API, "rest": sorted(left)}
    call += _SWITCH[kind]
    if _LISTENING[kind]:
        parts |= {"check": _LISTENING[kind], "rest": sorted({*left} - {*_LISTENING[kind]})}

    def compile_part(name: str) -> None:
        includes = "".join(f'#include "{one}"\n' for one in parts[name])
        (folder / f"{name}.cc").write_text(_NO_SPECIAL_FUNCTIONS + includes)
        level = [] if name in ("hot", "check") else ["-O1"]
        argv = [*call, *level, "-c", f"{name}.cc", "-o", f"{name}.o"]
        _run_own("the emulator's runtime", argv, folder, cache)

    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(compile_part, parts))
    objects = [f"{name}.o" for name in parts]
    argv = [
        *(*call, *LINK, *objects, str(RUNTIME / "context_switch.S")),
        *(f"-Wl,-soname,{LIBRARY}", "-ldl", "-o", LIBRARY),
    ]
    _run_own("the emulator's runtime", argv, folder, cache)
    for name in objects:
        (folder / name).unlink()
    return {}


def _run_own(what: str, argv: Sequence[str], folder: Path, cache: Cache) -> None:
    """Compile what is ours: a failure is the judge's or the machine's."""
    done = build.run(argv, folder, _SECONDS, [INCLUDE, RUNTIME])
    if done.returncode or done.stopped:
        log = done.output.decode("utf-8", "replace")
        path = cache.log("judge", f"{shlex.join(argv)}\n{log}")
        first = next((one.message for one in diagnostics.parse(log) if one.is_error), "stopped")
        raise JudgeError(f"{what} do not compile: {first}; the whole log is {path}")


def code(compiler: Compiler, check: bool) -> tuple[str, ...]:
    """The flags that say how the code of a submission is made."""
    return (*CODE, *CHECK, *_CHECK_OF_FAMILY[compiler.family]) if check else CODE


def warnings(compiler: Compiler) -> tuple[str, ...]:
    """The flags that say which messages are worth having."""
    return (*_WARNINGS, *_OF_FAMILY[compiler.family])


def prelude_flags(folder: Path) -> list[str]:
    """The flags by which a build begins with the prelude in `folder`.

    g++ takes the precompiled form beside it.  That of clang++ cannot be moved once it is made, as
    everything in the cache is: there the prelude is parsed, in a quarter of a second.
    """
    return ["-include", str(folder / PRELUDE)]


@functools.cache
def base_key() -> str:
    """Of all that goes into every build: compiler, flags, headers, runtime."""
    compiler = build.find_compiler()
    flags = (
        *CODE,
        *CHECK,
        *_TO_DEBUG,
        _ALIGNMENT,
        *warnings(compiler),
        *(*LINK, *allocators.WRAPPED),
        _NO_SPECIAL_FUNCTIONS,
    )
    return digest(compiler.key, *flags, digest_tree(INCLUDE, RUNTIME))
