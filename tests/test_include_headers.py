"""The headers that a submission includes: each compiles alone, and what is ours stays ours."""

from __future__ import annotations

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cuda_programs
import pytest

PUBLIC = sorted(cuda_programs.INCLUDE.glob("*.h")) + sorted(
    cuda_programs.INCLUDE.glob("cooperative_groups/*.h")
)
INTERNAL = sorted((cuda_programs.INCLUDE / "detail").glob("*.h"))
# The kernel model and what the judge itself includes: before a submission, or to precompile.
OPEN = {"device_model.h", "entry.h", "prelude.h"}


def compiled(source: str, *extra: str) -> subprocess.CompletedProcess[str]:
    """Check the text with every warning on."""
    command = ["-x", "c++", "-std=gnu++17", f"-I{cuda_programs.INCLUDE}", "-Wall", "-Wextra"]
    return subprocess.run(
        [*cuda_programs.build.find_compiler().command, *command, "-fsyntax-only", *extra, "-"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_public_header_compiles_alone() -> None:
    """Each name that submissions include needs no other before it, and warns of nothing."""
    names = [path.relative_to(cuda_programs.INCLUDE).as_posix() for path in PUBLIC]
    assert {"cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "mma.h"} <= set(names)
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda name: compiled(f"#include <{name}>\nint x;"), names)
    failed = {name: done.stderr for name, done in zip(names, results, strict=True) if done.stderr}

    assert not failed


def test_detail_headers_refuse_to_be_included() -> None:
    """A submission that includes detail/half.h is told which header to include instead."""
    for path in INTERNAL:
        if path.name in OPEN:
            continue
        done = compiled(f'#include "detail/{path.name}"\n', "-E", "-o", "/dev/null")
        assert f"detail/{path.name} is internal: include <" in done.stderr, path.name


@pytest.mark.parametrize(
    ("use", "feature"),
    [
        ("cudaGraph_t g; cudaGraphCreate(&g, 0);", "CUDA graphs (cudaGraphCreate)"),
        ("cudaTextureObject_t t; cudaDestroyTextureObject(t);", "textures"),
        ("cudaLaunchKernel((void*)k, dim3(1), dim3(1), nullptr);", "cudaLaunchKernel of a void*"),
    ],
)
def test_what_is_missing_is_named(use: str, feature: str) -> None:
    """A call that this backend cannot offer does not compile, and the error names the feature."""
    source = f"#include <cuda_runtime.h>\n__global__ void k() {{}}\nvoid f() {{ {use} }}"

    assert f"unsupported: {feature}" in compiled(source).stderr


def test_wmma_of_another_shape_is_named() -> None:
    """A fragment that no tensor core offers is an error with a reason."""
    source = (
        "#include <mma.h>\n"
        "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 4, 4, 4, half, nvcuda::wmma::row_major> f;"
    )
    assert "unsupported: wmma of this shape and type" in compiled(source).stderr


@pytest.mark.parametrize(
    "call",
    [
        "size_t n; atomicAdd(&n, 1);",  # unsigned long is not unsigned long long
        "double d; atomicMax(&d, 1.0);",
        "float f = max(0, 1.0f);",
        "half h = __float2half(1.0f); auto x = h + 1.0f;",
    ],
)
def test_overloads_that_nvcc_lacks_are_refused(call: str) -> None:
    """What nvcc finds ambiguous or has no overload for does not compile here either."""
    done = compiled(f"#include <cuda_fp16.h>\nvoid f() {{ {call} }}")

    assert "error: " in done.stderr


def test_half_lies_in_shared_memory() -> None:
    """half and bfloat16 have trivial constructors, as a __shared__ array requires."""
    source = """
    #include <cuda_bf16.h>
    static_assert(std::is_trivially_default_constructible<__half2>::value, "");
    static_assert(std::is_trivially_copyable<__nv_bfloat162>::value, "");
    __global__ void k(half* out) {
        __shared__ half tile[16][17];
        __shared__ __nv_bfloat162 pairs[8];
        tile[threadIdx.x][0] = out[0];
        pairs[0].x = __float2bfloat16(1.0f);
        out[0] = tile[0][0];
    }"""
    assert compiled(source).returncode == 0


def test_vector_types_have_nvcc_layout() -> None:
    """Sizes and alignments are those asserted in vector_layout.cu."""
    done = compiled((cuda_programs.SOURCES / "vector_layout.cu").read_text())

    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc on PATH to ask")
def test_vector_layout_holds_for_nvcc(tmp_path: Path) -> None:
    """The same assertions compile with nvcc: they are facts, not wishes."""
    source = cuda_programs.SOURCES / "vector_layout.cu"
    command = ["nvcc", "-std=c++17", "-c", str(source), "-o", str(tmp_path / "out.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
