"""docs/cpu_backend.md: every feature of its table has a test, and every header of ours is on it."""

from __future__ import annotations

import re
from pathlib import Path

import cuda_programs
import pytest

from judge import diagnostics, run, spec
from judge.find import ROOT
from judge.model import Mistake, Reason, Report, Request, Verdict

PAGE = (ROOT / "docs" / "cpu_backend.md").read_text(encoding="utf-8")
TABLE = PAGE.split("## Features")[1].split("## How near")[0]
VECTOR_ADD = spec.load("vector_add")
ADD = """
__global__ void add(const float* A, const float* B, float* C, int N) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}
"""
SOLVE = 'extern "C" void solve(const float* A, const float* B, float* C, int N)'
# What is refused, a line each, and the name that it is refused by.
REFUSED = (
    ("cudaGraph_t g; auto e = cudaGraphUpload(g, 0);", "CUDA graphs (cudaGraphUpload)"),
    ("cudaKernelNodeParams n;", "CUDA graphs (cudaKernelNodeParams)"),
    ("void tex(float* p) { *p = tex2DLayered<float>(0, 0, 0, 0); }", "textures (tex2DLayered)"),
    ("cudaResourceDesc r;", "textures (cudaResourceDesc)"),
    ("texture<float, 1> old;", "textures (texture)"),
    ("cudaMemPool_t pool;", "memory pools (cudaMemPool_t)"),
    ("cudaIpcMemHandle_t handle;", "several GPUs (cudaIpcMemHandle_t)"),
    ("auto peer = cudaDeviceCanAccessPeer(0, 0, 0);", "several GPUs (cudaDeviceCanAccessPeer)"),
    ("cudaMemcpy3DParms all;", "three-dimensional copies (cudaMemcpy3DParms)"),
    ("cudaStreamAttrValue v;", "the L2 cache's policies (cudaStreamAttrValue)"),
    ("CUtensorMap map;", "TMA (CUtensorMap)"),
    ("CUmodule module_;", "the driver API (CUmodule)"),
    ("cg::cluster_group cluster;", "clusters of blocks (cluster_group)"),
    ("auto all = cg::this_multi_grid();", "groups of several devices (this_multi_grid)"),
    (
        "cg::block_tile_memory<64> memory;",
        "this part of cooperative groups (block_tile_memory)",
    ),
    ("int shared(int* p) { return __isShared(p); }", "questions of address spaces (__isShared)"),
    ("auto pair = __ffma2_rn(0, 0, 0);", "packed pairs of floats (__ffma2_rn)"),
    ("nvcuda::wmma::experimental::precision::s4 four;", "wmma::experimental"),
    ("cub::BlockExchange<int, 64, 2> exchange;", "cub::BlockExchange"),
    ("auto part = cub::DevicePartition::If(0, 0);", "cub::DevicePartition"),
)
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TABLE.splitlines()
    if line.startswith("|") and not line.startswith("|---")
][1:]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_a_feature_has_a_test(row: list[str]) -> None:
    """What the page says of a feature is shown by a test that exists."""
    feature, answer, shown = row
    assert feature
    assert re.match(r"yes|no$|no: |differs: |as |compiled|never", answer), answer
    file, _, name = shown.partition("::")
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    assert re.search(rf"^def {name}\(", text, re.MULTILINE), shown


def test_every_header_is_on_the_page() -> None:
    """A header that a submission may include is named, and none that there is not."""
    include = ROOT / "judge" / "include"
    there = {str(path.relative_to(include)) for path in include.rglob("*.*h")}
    there |= {f"cuda/{path.name}" for path in (include / "cuda").iterdir() if path.is_file()}
    named = set(re.findall(r"`([\w/]+\.(?:h|cuh)|cuda/\w+)`", PAGE))
    of_std = PAGE.split("of `cuda/std/`:")[1].split(".\n")[0]

    assert set(re.findall(r"`(\w+)`", of_std)) == {
        path.name for path in (include / "cuda" / "std").iterdir()
    }
    assert {name for name in there if not name.startswith("detail/")} <= named
    missing = {name for name in named - there if name.startswith(("cub/", "thrust/"))}
    assert missing == set()


def test_a_kernel_that_launches_one_is_refused_by_name(tmp_path: Path) -> None:
    """Dynamic parallelism is CE unsupported, at the line of the inner launch."""
    source = tmp_path / "nested.cu"
    source.write_text(
        "__global__ void inner(float* C) { C[0] = 1; }\n"
        "__global__ void outer(float* C) {\n    inner<<<1, 1>>>(C);\n}\n"
        'extern "C" void solve(const float* A, const float* B, float* C, int N) '
        "{ outer<<<1, 1>>>(C); }\n"
    )
    report = run.judge(Request(source, spec.load("vector_add"), "cpu"), lambda progress: None)

    assert report.fault is not None
    assert report.fault.reason is Reason.UNSUPPORTED
    assert "dynamic parallelism" in report.fault.message
    assert report.fault.place is not None
    assert report.fault.place.line == 3


def test_what_only_a_gpu_has_is_refused_by_name(tmp_path: Path) -> None:
    """Each use of it is CE unsupported, with a name that its documentation knows."""
    head = (
        "#include <cuda_runtime.h>\n#include <cooperative_groups.h>\n#include <mma.h>\n"
        "#include <cub/cub.cuh>\nnamespace cg = cooperative_groups;\n"
    )
    source = tmp_path / "refused.cpp"
    source.write_text(head + "".join(f"{line}\n" for line, _ in REFUSED))
    compiler = (*cuda_programs.FLAGS, "-fsyntax-only", str(source))
    # The judge asks for messages in plain characters, and this test's environment may not.
    log = cuda_programs.run_compiler(*compiler).stderr.translate(
        str.maketrans("\u2018\u2019", "''")
    )
    named: dict[int, str] = {}
    for error in log.splitlines():
        if " error: " in error:
            found = diagnostics.fault(error, {str(source): "refused.cu"})
            assert found.place is not None
            if found.reason is Reason.UNSUPPORTED:
                named.setdefault(found.place.line, found.message)

    for number, (line, feature) in enumerate(REFUSED, 1 + head.count("\n")):
        sentence = f"the CPU backend does not support {feature}, line {number}; use BACKEND=gpu"
        assert named.get(number) == sentence, line


def judged(text: str, tmp_path: Path) -> Report:
    """What a run says of a vector addition, on one case."""
    source = tmp_path / "mine.cu"
    source.write_text(text)
    request = Request(source, VECTOR_ADD, "cpu", case="normal,N=100", seed="1")
    return run.judge(request, lambda progress: None)


def test_lambdas_go_to_kernels(tmp_path: Path) -> None:
    """With __device__, with both words, by value, with what they capture."""
    text = (
        "template <class F> __global__ void each(F f, float* C, int N) {\n"
        "    if (threadIdx.x < N) C[threadIdx.x] = f(threadIdx.x);\n}\n"
        f"{SOLVE} {{\n"
        "    each<<<1, 128>>>([=] __device__(int i) { return A[i]; }, C, N);\n"
        "    auto sum = [=] __host__ __device__(int i) { return C[i] + B[i]; };\n"
        "    each<<<1, 128>>>(sum, C, N);\n}\n"
    )

    assert judged(text, tmp_path).verdict is Verdict.AC


def test_the_architecture_is_told_in_host_code_too(tmp_path: Path) -> None:
    """Code that asks whether it runs on the device is always told yes."""
    text = (
        f"{ADD}#ifdef __CUDA_ARCH__\n{SOLVE} {{\n"
        "    if (__CUDA_ARCH__ == 900) add<<<(N + 255) / 256, 256>>>(A, B, C, N);\n}\n#endif\n"
    )

    assert judged(text, tmp_path).verdict is Verdict.AC


def test_the_language_is_cpp17(tmp_path: Path) -> None:
    """`if constexpr` is there, concepts are not: the same as nvcc without -std."""
    body = "if constexpr (sizeof(int) == 4) add<<<(N + 255) / 256, 256>>>(A, B, C, N);"
    text = f"{ADD}{SOLVE} {{ {body} }}\n"

    assert judged(text, tmp_path).verdict is Verdict.AC
    refused = judged(f"template <class T> requires true void f(T) {{}}\n{text}", tmp_path).fault
    assert refused is not None
    assert refused.reason is Reason.COMPILE


def test_cluster_dims_alone_change_nothing(tmp_path: Path) -> None:
    """The word is dropped: a kernel that uses nothing of clusters runs without them."""
    kernel = ADD.replace("void add", "void __cluster_dims__(2, 1, 1) add")
    text = f"{kernel}{SOLVE} {{ add<<<(N + 255) / 256, 256>>>(A, B, C, N); }}\n"

    assert judged(text, tmp_path).verdict is Verdict.AC


def test_the_planted_mistakes_are_counted() -> None:
    """Of each kind, and in all, as tests/check has them."""
    texts = {
        one.stem: one.read_text(encoding="utf-8") for one in (ROOT / "tests" / "check").glob("*.cu")
    }
    right = [name for name in texts if name.startswith("ok_")]
    part = PAGE.split("## What the check build finds")[1].split("\n## ")[0]
    counted = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", part, re.MULTILINE))
    planted = {
        kind: str(sum(bool(re.search(rf"// finding: .*\b{kind}\b", t)) for t in texts.values()))
        for kind in (mistake.value for mistake in Mistake if mistake is not Mistake.ERROR)
    }

    assert counted == planted
    assert f"has {len(texts) - len(right)} planted mistakes" in part
    assert f"of {len(right)} right" in part
