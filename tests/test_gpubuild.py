"""judge/gpubuild.py, judge/nvcclog.py: both halves by the real nvcc, and where its errors point."""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge import gpubuild, nvcclog, spec, toolkit
from judge.box import Event
from judge.boxed import Completed
from judge.find import ROOT
from judge.model import (
    BackendMissing,
    Build,
    CompileError,
    Fault,
    Place,
    Reason,
    UserError,
    Verdict,
)
from judge.solve import Solve

HOPPER = (9, 0)
GEMM = spec.load("gemm_fp16")
NAIVE = ROOT / "submissions" / "gemm_fp16" / "naive.cu"
PARAMETERS = "const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta"
HEAD = "#include <cuda_fp16.h>\n"
SOLVE = f'extern "C" void solve({PARAMETERS})'


def nvcc() -> str:
    """Why there is no nvcc, or nothing."""
    try:
        toolkit.find()
    except BackendMissing as missing:
        return str(missing)
    return ""


needs_nvcc = pytest.mark.skipif(bool(nvcc()), reason=nvcc() or "nvcc is here")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache for this file's tests, so that what is made once is made once."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("JUDGE_CACHE", str(folder))
        yield folder


BROKEN = {
    "syntax": HEAD + f"{SOLVE} {{\n    int a = ;\n}}\n",
    "device": HEAD + f"__global__ void k(int* p) {{\n    *p = undeclared;\n}}\n{SOLVE} {{}}\n",
    "signature": HEAD
    + 'using MyHalf = float;\nextern "C" void solve('
    + PARAMETERS.replace("half* C", "MyHalf* C")
    + ") {}\n",
    "shared": HEAD + "__global__ void big(float* p) {\n    __shared__ float s[80000];\n"
    "    s[threadIdx.x] = p[threadIdx.x];\n    __syncthreads();\n    p[0] = s[1];\n}\n"
    + f"{SOLVE} {{ big<<<1, 32>>>((float*)C); }}\n",
    "header": HEAD + f'#include "parts/kernel.h"\n{SOLVE} {{}}\n',
}
HEADER = '#pragma once\n\nint broken = "text";\n'


@pytest.fixture(scope="module")
def faults(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Fault]:
    """The fault of each broken submission, compiled side by side."""
    folder = tmp_path_factory.mktemp("broken")
    (folder / "parts").mkdir()
    (folder / "parts" / "kernel.h").write_text(HEADER)

    def fault(name: str) -> Fault:
        source = folder / f"{name}.cu"
        source.write_text(BROKEN[name])
        with pytest.raises(CompileError) as raised:
            gpubuild.compile(source, GEMM, (), HOPPER)
        assert raised.value.log_path is not None
        assert raised.value.log_path.read_text().startswith(raised.value.command)
        return raised.value.fault

    toolkit.find()
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(BROKEN, pool.map(fault, BROKEN), strict=True))


@pytest.fixture(scope="module")
def naive(cache: Path) -> Build:
    """The first rung, built."""
    return gpubuild.compile(NAIVE, GEMM, (), HOPPER)


@needs_nvcc
def test_control_both_halves_are_built(naive: Build) -> None:
    """A library that exports the entry, and a cubin (ELF) for the chip alone."""
    assert naive.cubin is not None
    assert naive.cubin.read_bytes()[:4] == b"\x7fELF"
    exported = naive.library.read_bytes()
    for symbol in (b"judge_entry", b"judge_launches", b"judge_sample", b"solve"):
        assert symbol in exported
    assert naive.compiler == f"nvcc {toolkit.find().version} for sm_90a"
    assert not naive.cached
    assert naive.warnings == ()


@needs_nvcc
def test_the_library_loads_with_its_runtime(naive: Build) -> None:
    """The CUDA runtime is found by its path in the library, without an environment."""
    loaded = ctypes.CDLL(str(naive.library))

    assert loaded.judge_entry
    assert loaded.cudaRuntimeGetVersion


@needs_nvcc
def test_kernels_have_names_and_needs(naive: Build) -> None:
    """As people write them, as the linker does, and what ptxas says they take."""
    (kernel,) = naive.kernels

    assert kernel.name == "gemm"
    assert kernel.symbol.startswith("_Z4gemm")
    assert 16 <= kernel.registers <= 128
    assert (kernel.static_shared_bytes, kernel.local_bytes) == (0, 0)


@needs_nvcc
def test_the_same_build_is_not_made_twice(naive: Build, tmp_path: Path) -> None:
    """Kept by content and name; a define makes it another."""
    again = gpubuild.compile(NAIVE, GEMM, (), HOPPER)

    assert again.cached
    assert (again.library, again.kernels) == (naive.library, naive.kernels)
    assert again.seconds < 1


@needs_nvcc
def test_a_define_reaches_both_halves(cache: Path, tmp_path: Path) -> None:
    """The host half and the kernels see the same macro; warnings name the user's line."""
    source = tmp_path / "k.cu"
    source.write_text(
        HEAD + f"__global__ void k(half* p) {{\n    __shared__ int s[TILE];\n    int unused;\n"
        f"    s[threadIdx.x] = 1;\n    __syncthreads();\n    p[0] = s[1];\n}}\n"
        f"static_assert(TILE == 48);\n{SOLVE} {{ k<<<1, TILE>>>(C); }}\n"
    )

    built = gpubuild.compile(source, GEMM, ("TILE=48",), HOPPER)

    assert built.kernels[0].static_shared_bytes == 4 * 48
    assert built.warnings == (f'{source}:4: variable "unused" was declared but never referenced',)
    with pytest.raises(UserError, match="define: got"):
        gpubuild.compile(source, GEMM, ("TILE=4 8",), HOPPER)


@needs_nvcc
@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("syntax", 3, "expected an expression"),
        ("device", 3, 'identifier "undeclared" is undefined'),
    ],
)
def test_an_error_is_at_the_user_s_line(
    faults: dict[str, Fault], name: str, line: int, words: str
) -> None:
    """In the file as the user named it, with the compiler's own words."""
    found = faults[name]

    assert (found.verdict, found.reason) == (Verdict.CE, Reason.COMPILE)
    assert found.place is not None
    assert (Path(found.place.file).name, found.place.line) == (f"{name}.cu", line)
    assert words in found.message


@needs_nvcc
def test_an_error_in_a_header_of_the_user_is_at_its_line(faults: dict[str, Fault]) -> None:
    """Headers beside the submission are its own files."""
    place = faults["header"].place

    assert place is not None
    assert (place.file.endswith("parts/kernel.h"), place.line) == (True, 3)


@needs_nvcc
def test_a_parameter_of_another_type_is_the_signature(faults: dict[str, Fault]) -> None:
    """Even where only the compiler knows the type: an error in the judge's own entry."""
    found = faults["signature"]

    assert found.reason is Reason.SIGNATURE
    assert "MyHalf* C" in found.message
    assert GEMM.declaration() in found.message
    assert found.place is not None
    assert found.place.line == 3


@needs_nvcc
def test_an_undefined_function_shows_when_the_library_is_loaded(
    cache: Path, tmp_path: Path
) -> None:
    """A library may leave names to the driver's; loading it binds all others."""
    source = tmp_path / "k.cu"
    source.write_text(HEAD + f"void elsewhere(int);\n{SOLVE} {{ elsewhere(M); }}\n")

    built = gpubuild.compile(source, GEMM, (), HOPPER)

    with pytest.raises(OSError, match="undefined symbol: _Z9elsewherei"):
        ctypes.CDLL(str(built.library), mode=os.RTLD_NOW)


@needs_nvcc
def test_too_much_static_shared_memory_names_the_kernel(faults: dict[str, Fault]) -> None:
    """ptxas says which function, how much and how much there may be."""
    found = faults["shared"]

    assert found.reason is Reason.COMPILE
    assert "uses too much shared data" in found.message
    assert "_Z3bigPf" in found.message


@needs_nvcc
def test_the_judge_s_own_kernels_compile_and_are_kept(cache: Path) -> None:
    """A check for each dtype there is, and the two counters."""
    cubin = gpubuild.own_kernels(HOPPER)

    for name in (b"check_float16", b"check_uint64", b"count_not", b"count_different"):
        assert name in cubin
    assert gpubuild.own_kernels(HOPPER) == cubin


def test_the_target_is_the_chip_s_own() -> None:
    """Chips with instructions of their own need the `a` target to use them."""
    assert gpubuild.target((9, 0)) == "sm_90a"
    assert gpubuild.target((8, 6)) == "sm_86"


# --------------------------------------------------------------------------------------------------
# What nvcc printed, recorded

CALLED = Solve(Path("k.cu"), None, (), False)
FILES = {"/home/me/k.cu": "k.cu"}


def told(log: str, stopped: Event | None = None) -> Fault:
    """The fault of that log."""
    done = Completed(1, log.encode(), False, 120.4, stopped)
    return nvcclog.fault(done, log, FILES, CALLED, GEMM)


def test_the_first_error_in_the_user_s_file_is_the_one() -> None:
    """Errors in the toolkit's headers come before the line that led there."""
    found = told(
        "/usr/include/vector(3): error: no instance\n"
        '/home/me/k.cu(17): error #20: identifier "x" is undefined\n'
        "/home/me/k.cu(18): error: later\n"
    )

    assert (found.place, found.message) == (Place("k.cu", 17), 'identifier "x" is undefined')
    assert len(found.details) == 3


def test_the_host_compiler_s_errors_count_too() -> None:
    """g++ writes its lines in another way."""
    found = told("/home/me/k.cu:9:5: error: 'foo' was not declared in this scope\n")

    assert found.place == Place("k.cu", 9)


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (
            "/usr/bin/ld: k.o: in function `solve':\nk.cu:3: undefined reference to `f(int)'\n",
            "undefined reference to `f(int)'",
        ),
        ("ptxas fatal   : Unresolved extern function '_Z1fi'\n", "Unresolved extern function"),
    ],
)
def test_linker_and_assembler_know_no_line(log: str, message: str) -> None:
    """Their words, at the file."""
    found = told(log)

    assert message in found.message
    assert found.place == Place("k.cu")


def test_an_unknown_failure_shows_the_log() -> None:
    """No line to name: the file, and what was printed."""
    found = told("nvcc had a bad day\n")

    assert (found.place, found.details) == (Place("k.cu"), ("nvcc had a bad day",))
    assert found.message == "nvcc failed without naming a line"


@pytest.mark.parametrize(
    ("stopped", "words"),
    [
        (Event.TIME, "nvcc was stopped after 120 s"),
        (Event.MEMORY, "nvcc was stopped: it took more memory than it may"),
    ],
)
def test_a_compiler_that_was_stopped_says_why(stopped: Event, words: str) -> None:
    """Templates can keep a compiler busy for ever: the submission's fault."""
    assert told("", stopped).message == words


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (
            "host_config.h:143:2: error: #error -- unsupported GNU version! gcc versions later "
            "than 14 are not supported!\n",
            "nvcc refuses this host compiler: unsupported GNU version! gcc versions later than 14",
        ),
        ("/usr/bin/ld: cannot find -lcudart\n", "the CUDA toolkit is not whole"),
    ],
)
def test_a_broken_toolkit_is_no_compile_error(log: str, words: str) -> None:
    """What no submission can help is not held against it."""
    with pytest.raises(BackendMissing, match=r"^backend gpu: ") as raised:
        told(log)

    assert words in str(raised.value)


def test_warnings_are_the_user_s_each_once_and_few() -> None:
    """Five of them; those of headers are nobody's business."""
    log = "".join(
        f"/home/me/k.cu({line // 2}): warning #177-D: variable {line // 2}\n" for line in range(20)
    )

    found = nvcclog.warnings("/usr/include/half.h(3): warning: theirs\n" + log, FILES)

    assert found == [f"k.cu:{line}: variable {line}" for line in range(5)]


PTXAS = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5firstPf' for 'sm_90a'
ptxas info    : Function properties for _Z5firstPf
    40 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 40 bytes cumulative stack size, 6144 bytes smem
ptxas info    : Compile time = 1.234 ms
ptxas info    : Compiling entry function '_Z6secondv' for 'sm_90a'
ptxas info    : Function properties for _Z6secondv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 364 bytes cmem[0]
"""


def test_each_kernel_has_its_own_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two kernels in one log are kept apart; without c++filt the symbol is the name."""
    first, second = nvcclog.resources(PTXAS)

    assert (first["registers"], first["static_shared_bytes"], first["local_bytes"]) == (
        32,
        6144,
        40,
    )
    assert (second["registers"], second["static_shared_bytes"], second["constant_bytes"]) == (
        255,
        0,
        364,
    )
    if shutil.which("c++filt"):
        assert (first["name"], second["name"]) == ("first", "second")
    monkeypatch.setenv("PATH", "")
    assert nvcclog.resources(PTXAS)[1]["name"] == "_Z6secondv"
