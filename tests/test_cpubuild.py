"""Building for the CPU backend: what comes out, what is refused, and where messages point."""

from __future__ import annotations

import ctypes
import dataclasses
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from judge import build, cpubuild, prebuilt, spec
from judge.cache import Entry
from judge.model import (
    Argument,
    Build,
    CompileError,
    Dtype,
    Fault,
    JudgeError,
    Reason,
    Role,
    Spec,
    UserError,
    Verdict,
)

GOLDEN = Path(__file__).parent / "golden" / "rewrite"
PARAMETERS = "const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta"
SOLVE = f'extern "C" void solve({PARAMETERS}) {{}}\n'
HEAD = "#include <cuda_fp16.h>\n"

Compile = Callable[..., Build]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache for this file's tests, so that what is made once is made once."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("JUDGE_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def gemm() -> Spec:
    """The FP16 GEMM."""
    return spec.load("gemm_fp16")


@pytest.fixture
def compile(cache: Path, gemm: Spec, tmp_path: Path) -> Compile:
    """Compile a text as k.cu."""

    def run(text: str, *defines: str, spec: Spec = gemm) -> Build:
        path = tmp_path / "k.cu"
        path.write_text(text, encoding="utf-8")
        return cpubuild.compile(path, spec, defines)

    return run


def refused(compile: Compile, text: str, *defines: str, spec: Spec | None = None) -> Fault:
    """The fault of a text that does not build."""
    with pytest.raises(CompileError) as caught:
        compile(text, *defines, **({"spec": spec} if spec else {}))
    assert caught.value.fault.verdict is Verdict.CE
    return caught.value.fault


def line(fault: Fault) -> int:
    """The line of k.cu it points at."""
    assert fault.place is not None
    assert fault.place.file.endswith("/k.cu")
    return fault.place.line


def test_control_a_right_submission_builds(compile: Compile) -> None:
    """The library has the entry; the second time it comes from the cache, at once."""
    made = compile(HEAD + SOLVE)
    started = time.perf_counter()
    again = compile(HEAD + SOLVE)

    assert (made.cached, again.cached) == (False, True)
    assert made.library == again.library
    assert b"judge_entry" in made.library.read_bytes()
    assert () == made.warnings == made.notes
    assert made.compiler == build.find_compiler().version
    assert time.perf_counter() - started < 0.2


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.cu")), ids=lambda path: path.stem)
def test_the_golden_files_compile(path: Path, compile: Compile) -> None:
    """What the rewriter makes of every spelling is C++ that the headers take."""
    compile(path.read_text(encoding="utf-8") + HEAD + SOLVE)


def test_arguments_arrive(compile: Compile, gemm: Spec) -> None:
    """Pointers and numbers reach `solve` unchanged, sizes also where it takes wider ones."""
    text = (
        "static double seen[5];\n"
        'extern "C" double* look() { return seen; }\n'
        "void solve(const float* x, size_t n, float alpha, unsigned char* y, unsigned k) {\n"
        "  seen[0] = x[0]; seen[1] = n; seen[2] = alpha; seen[3] = y[1]; seen[4] = k;\n"
        "}\n"
    )
    signature = (
        Argument("x", Dtype.FLOAT32, Role.IN, ("n",)),
        Argument("n", Dtype.INT32, Role.AXIS),
        Argument("alpha", Dtype.FLOAT32, Role.SCALAR),
        Argument("y", Dtype.INT8, Role.OUT, ("n",)),
        Argument("k", Dtype.INT32, Role.AXIS),
    )
    made = compile(text, spec=dataclasses.replace(gemm, signature=signature))
    ctypes.CDLL(str(cpubuild.runtime_library()), mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(made.library))
    x, y = (ctypes.c_float * 1)(2.5), (ctypes.c_ubyte * 2)(0, 200)
    values = [
        ctypes.pointer(ctypes.c_void_p(ctypes.addressof(x))),
        ctypes.pointer(ctypes.c_int(1 << 30)),
        ctypes.pointer(ctypes.c_float(-1.25)),
        ctypes.pointer(ctypes.c_void_p(ctypes.addressof(y))),
        ctypes.pointer(ctypes.c_int(7)),
    ]
    library.judge_entry((ctypes.c_void_p * 5)(*(ctypes.cast(v, ctypes.c_void_p) for v in values)))
    library.look.restype = ctypes.POINTER(ctypes.c_double)

    assert library.look()[:5] == [2.5, 1 << 30, -1.25, 200, 7]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + f"namespace a {{ void solve({PARAMETERS}) {{}} }}",
        HEAD
        + f"#define half __half\n#define M 3\n#define arguments 4\n{SOLVE}".replace("int M", "int"),
        f'#include "solve.h"\n{SOLVE}',
        HEAD + SOLVE + "int main() { return 0; } // no line end",
        "#include <iostream>\n" + HEAD + SOLVE.replace("{}", "{ std::cout << M; }"),
        "\ufeff" + HEAD.replace("\n", "\r\n") + SOLVE,
        HEAD + "typedef half real;\n" + SOLVE.replace("half", "real"),
        HEAD + f"#define ARGUMENTS {PARAMETERS}\nvoid solve(ARGUMENTS) {{}}",
        HEAD + 'template <class T> __device__ T f(T x) { asm("no;"); return x; }\n' + SOLVE,
    ],
    ids=[
        "namespace",
        "macros",
        "solve.h",
        "main",
        "library",
        "windows",
        "typedef",
        "macro",
        "unused ptx",
    ],
)
def test_what_builds(text: str, compile: Compile) -> None:
    """Odd but right submissions."""
    compile(text)


def test_defines_reach_the_submission(compile: Compile) -> None:
    """`NAME=value` and `NAME` are macros, also where a header of ours uses the name."""
    text = 'static_assert(TILE == 16 && FLAG == 1 && x == -3, "");\n' + HEAD
    compile(text + SOLVE, "TILE=16", "FLAG", "x=-3", "T=float")

    assert "TILE" in refused(compile, text + SOLVE, "FLAG").message


@pytest.mark.parametrize(
    "define", ["TILE=;rm", "TILE=1 2", "1A=2", "", "=1", "A=\n", "A=$(x)", "A-B"]
)
def test_a_bad_define_is_refused(define: str, compile: Compile) -> None:
    """What could be more than one macro is a usage error in one line."""
    with pytest.raises(UserError, match=r"^define: got ") as caught:
        compile(HEAD + SOLVE, define)
    assert "\n" not in str(caught.value)


def test_what_is_no_source_is_a_usage_error(gemm: Spec, cache: Path, tmp_path: Path) -> None:
    """A folder, or what is not there, never reaches a compiler."""
    for path in (tmp_path, tmp_path / "none.cu"):
        with pytest.raises(UserError, match=re.escape(str(path))):
            cpubuild.compile(path, gemm, [])


def test_an_error_points_at_the_submission(compile: Compile) -> None:
    """Reason, line and the compiler's words; the whole log is kept."""
    with pytest.raises(CompileError) as caught:
        compile(HEAD + "\nint f() { return missing; }\n" + SOLVE)
    error = caught.value

    assert (error.fault.reason, line(error.fault)) == (Reason.COMPILE, 3)
    assert "'missing' was not declared" in error.fault.message
    assert any("k.cu:3:" in text for text in error.fault.details)
    assert error.log_path is not None
    assert "missing" in error.log_path.read_text()
    assert error.command in error.log_path.read_text()


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("/* no end\n" + SOLVE, 2, "unterminated comment"),
        ('const char* s = "no end;\n' + SOLVE, 2, "missing terminating"),
        ("__global__ void k(int *p) {}\nvoid f(int *p) { k<<<1, 1(p); }\n" + SOLVE, 3, "expected"),
        (
            "__global__ void k(int *p) {}\nvoid f(float *p) { k<<<1, 1>>>(p); }\n" + SOLVE,
            3,
            "float",
        ),
        ("void f() {\n  if (1) {\n}\n" + SOLVE, 2, "expected '}' at end of input"),
        (SOLVE.replace("{}", "{ if (1) {"), 2, "expected '}' at end of input"),
        ("void g();\nvoid f() { g(); }\n" + SOLVE, 3, "undefined reference to `g()'"),
        ('void f(half *p) {\n  atomicAdd(p, "x");\n}\n' + SOLVE, 3, ""),
        ("#include <no_such.h>\n" + SOLVE, 2, "no_such.h"),
        (
            "__global__ void a() { extern __shared__ int x[]; x[0] = 1; }\n"
            "__global__ void b() { extern __shared__ float x[]; x[0] = 1; }\n" + SOLVE,
            3,
            "conflicting declaration",
        ),
    ],
    ids=[
        "comment",
        "string",
        "launch",
        "argument",
        "brace",
        "end",
        "linker",
        "ours",
        "include",
        "two types",
    ],
)
def test_where_errors_point(text: str, where: int, words: str, compile: Compile) -> None:
    """Wherever the compiler stumbles, the message has a line of the submission."""
    fault = refused(compile, HEAD + text)

    assert (Reason.COMPILE, where) == (fault.reason, line(fault))
    assert words in fault.message


def test_details_are_short(compile: Compile) -> None:
    """A thousand errors make twenty lines."""
    fault = refused(compile, HEAD + "int a = x;\n" * 1000 + SOLVE)

    assert 0 < len(fault.details) <= 20


def test_a_bomb_is_stopped(compile: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    """A submission that keeps the compiler busy is its own fault."""
    bomb = (
        "template <int N, int M> struct F {\n"
        "  static constexpr long v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v;\n};\n"
        "template <int M> struct F<0, M> { static constexpr long v = M; };\n"
        "long x = F<24, 0>::v;\n"
    )
    compile(HEAD + SOLVE)  # what is made once is there
    monkeypatch.setattr(cpubuild, "SECONDS", 0.7)
    started = time.perf_counter()
    fault = refused(compile, HEAD + bomb + SOLVE)

    assert fault.reason is Reason.COMPILE
    assert "stopped after 0.7 s" in fault.message
    assert time.perf_counter() - started < 5


def test_no_solve_names_what_was_meant(compile: Compile) -> None:
    """The expected declaration, and the function that is nearly it."""
    fault = refused(compile, HEAD + SOLVE.replace("solve", "Solve"))

    assert (fault.reason, line(fault)) == (Reason.NO_SOLVE_SYMBOL, 2)
    assert f'extern "C" void solve({PARAMETERS})' in fault.message
    assert "'Solve' on line 2" in fault.message


def test_a_wrong_signature_is_named(compile: Compile) -> None:
    """Got and expected stand in one message, at the line of `solve`."""
    got = PARAMETERS.replace("half", "float")
    fault = refused(compile, HEAD + SOLVE.replace(PARAMETERS, got))

    assert (fault.reason, line(fault)) == (Reason.SIGNATURE, 2)
    assert f'solve: got ({got}), expected extern "C" void solve({PARAMETERS})' == fault.message


@pytest.mark.parametrize(
    "text",
    [
        "typedef float real;\n" + SOLVE.replace("half", "real"),
        "typedef int number;\n" + SOLVE.replace("float alpha", "number alpha"),
        "typedef double number;\n" + SOLVE.replace("float alpha", "number alpha"),
        "typedef const half element;\n" + SOLVE.replace("half* C", "element* C"),
        "typedef short number;\n" + SOLVE.replace("int K", "number K"),
        "#define ARGUMENTS const half* A, half* C\nvoid solve(ARGUMENTS) {}\n",
    ],
)
def test_a_wrong_signature_behind_a_typedef_is_refused(text: str, compile: Compile) -> None:
    """What only the compiler can tell is refused as well: no value is ever converted silently."""
    fault = refused(compile, HEAD + text)

    assert (fault.reason, line(fault)) == (Reason.SIGNATURE, 3)


def test_missing_c_linkage_is_noted(compile: Compile) -> None:
    """It is accepted, and said; a prototype with it, or solve.h, is enough."""
    bare = SOLVE.replace('extern "C" ', "")

    (note,) = compile(HEAD + bare).notes
    assert 'k.cu:2: solve has no extern "C"' in note
    assert compile(HEAD + SOLVE.replace("{}", ";") + bare).notes == ()
    assert compile('#include "solve.h"\n' + bare).notes == ()


@pytest.mark.parametrize(
    ("text", "feature", "where"),
    [
        ("#include <cub/agent/agent_reduce.cuh>\n", "cub", 2),
        ("#include <thrust/set_operations.h>\n", "thrust", 2),
        ("#include <cute/tensor.hpp>\n", "cute", 2),
        ("#include <cublas_v2.h>\n", "cublas", 2),
        ("#include <cuda/semaphore>\n", "cuda/semaphore", 2),
        (
            "#include <cuda/atomic>\nusing L = cuda::latch<cuda::thread_scope_block>;\n",
            *("cuda::latch", 3),
        ),
        ("#include <curand_kernel.h>\n", "curand_kernel.h", 2),
        ("#include <nvrtc.h>\n", "nvrtc.h", 2),
        ("#include <cudaTypedefs.h>\n", "cudaTypedefs.h", 2),
        (
            "#include <cooperative_groups.h>\n__global__ void k() {\n"
            "  cooperative_groups::this_cluster().sync();\n}\n",
            *("clusters of blocks (this_cluster)", 4),
        ),
        ("#include <cuda_awbarrier_primitives.h>\n", "cuda_awbarrier_primitives.h", 2),
        (
            "#include <cub/cub.cuh>\nusing Exchange = cub::BlockExchange<int, 64, 2>;\n",
            *("cub::BlockExchange", 3),
        ),
        ("#include <cuda.h>\nCUresult f() { return cuInit(0); }\n", "the driver API (CUresult)", 3),
        (
            "__global__ void k(cudaTextureObject_t t, float *p) {\n"
            "  *p = tex1Dfetch<float>(t, 0);\n}\n",
            *("textures (tex1Dfetch)", 3),
        ),
        (
            '__global__ void k(int *p) {\n  asm("wgmma.fence.sync.aligned;" : "=r"(*p));\n}\n',
            *("inline PTX wgmma.fence.sync.aligned", 3),
        ),
    ],
)
def test_what_the_backend_cannot_do(text: str, feature: str, where: int, compile: Compile) -> None:
    """Right CUDA that only a GPU runs is no mistake: the message says where to go."""
    fault = refused(compile, HEAD + text + SOLVE)

    assert (Reason.UNSUPPORTED, where) == (fault.reason, line(fault))
    assert fault.message.startswith("the CPU backend does not support ")
    assert feature.lower() in fault.message.lower()
    assert fault.message.endswith(f", line {where}; use BACKEND=gpu")


def test_an_architecture_asked_for_is_no_mistake(compile: Compile) -> None:
    """`#error` of the submission's own, beside inline PTX, means: not on this backend."""
    text = '#ifndef SM_90A\n#error "compile for sm_90a"\n#endif\n'
    ptx = 'static __device__ void f() {\n  asm volatile("x;");\n}\n'

    fault = refused(compile, HEAD + text + ptx + SOLVE)
    assert (fault.reason, line(fault)) == (Reason.UNSUPPORTED, 6)
    assert Reason.COMPILE is refused(compile, HEAD + text + SOLVE).reason


def test_warnings_are_few_and_about_the_submission(compile: Compile) -> None:
    """An endless unsigned loop is named, with its line; unused names are not worth a line."""
    loop = "void f(float *p) { for (unsigned j = 3; j >= 0; --j) p[j] = 0; }\n"
    text = HEAD + "static int unused;\n#pragma unroll\n" + loop + SOLVE
    made = compile(text)

    assert len(made.warnings) == 1
    assert made.warnings[0].startswith("k.cu:4: comparison of unsigned expression")
    assert made.warnings == compile(text).warnings
    assert len(compile(HEAD + loop.replace("f(", "g(") * 1 + many(loop) + SOLVE).warnings) == 5


def many(loop: str) -> str:
    """Ten such functions."""
    return "".join(loop.replace("f(", f"f{i}(") for i in range(10))


def test_own_headers_are_rewritten_too(compile: Compile, tmp_path: Path) -> None:
    """A header beside the submission may hold kernels and launches, and errors name it."""
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "k.cuh").write_text('#pragma once\n#include "l.cuh"\n')
    (folder / "l.cuh").write_text(
        "__global__ void k(half *p) {}\nvoid f(half *p) { k<<<1, 1>>>(p); }\n"
    )
    text = HEAD + '#include "parts/k.cuh"\n' + SOLVE
    first = compile(text)
    assert compile(text).cached

    (folder / "l.cuh").write_text("void f() {}\nint x = y;\n")
    fault = refused(compile, text)
    assert fault.place is not None
    assert (str(folder / "l.cuh"), 2) == (fault.place.file, fault.place.line)
    assert first.library.exists()


def test_a_broken_installation_is_no_fault_of_the_submission(
    compile: Compile, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Headers of ours that do not compile are a judge error."""
    monkeypatch.setenv("JUDGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(prebuilt, "CODE", (*prebuilt.CODE, "-include", "/none"))

    with pytest.raises(JudgeError, match="do not compile"):
        compile(HEAD + SOLVE)


def test_a_compiler_reads_all_that_the_headers_include(tmp_path: Path) -> None:
    """clang++ parses the prelude anew, and with it the runtime's own headers: both are let in."""
    compiler = build.find_compiler()
    runtime: Future[Entry] = Future()
    steps = cpubuild._steps(compiler, "prelude-half", runtime, ())
    _, then, compiling = next(steps)
    runtime.set_result(Entry(tmp_path, {}, cached=True))
    _, _, linking = next(steps)

    assert then == []
    assert {prebuilt.INCLUDE, prebuilt.RUNTIME} <= set(compiling)
    assert linking == (tmp_path,)


def test_compiling_and_linking_share_a_box_where_the_runtime_is_there(tmp_path: Path) -> None:
    """One start of a box instead of two; what is linked is let in as well."""
    compiler = build.find_compiler()
    runtime: Future[Entry] = Future()
    runtime.set_result(Entry(tmp_path, {}, cached=True))

    ((compiling, linking, reads),) = cpubuild._steps(compiler, "prelude-half", runtime, ())

    assert ("-c" in compiling, "submission.o" in linking) == (True, True)
    assert {prebuilt.INCLUDE, prebuilt.RUNTIME, tmp_path} <= set(reads)


@pytest.mark.parametrize(
    ("first", "then", "returncode", "output"),
    [("echo 1", "echo 2", 0, b"1\n2\n"), ("echo 1; exit 3", "echo 2", 3, b"1\n")],
)
def test_a_command_follows_only_where_the_first_succeeds(
    tmp_path: Path, first: str, then: str, returncode: int, output: bytes
) -> None:
    """As with `&&`; the status is that of the last that ran."""
    shell = ["/bin/sh", "-c"]

    done = build.run([*shell, first], tmp_path, 20.0, (), [*shell, then])

    assert (done.returncode, done.output) == (returncode, output)
