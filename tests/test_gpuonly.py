"""Names that only a GPU's CUDA has, as g++ and clang++ complain of them."""

from __future__ import annotations

import pytest

from judge.gpuonly import feature


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("'cudaGraphUpload' was not declared in this scope", "CUDA graphs (cudaGraphUpload)"),
        ("use of undeclared identifier 'cudaGraphUpload'", "CUDA graphs (cudaGraphUpload)"),
        ("'texture' does not name a type", "textures (texture)"),
        ("unknown type name 'CUtensorMap'", "TMA (CUtensorMap)"),
        (
            "'cluster_group' is not a member of 'cg'; did you mean 'lane_group'?",
            "clusters of blocks (cluster_group)",
        ),
        ("'cub::DeviceFor' has not been declared", "cub::DeviceFor"),
        (
            "'BlockExchange' in namespace 'cub' does not name a template type",
            "cub::BlockExchange",
        ),
        ("no template named 'BlockExchange' in namespace 'cub'", "cub::BlockExchange"),
        ("'experimental' is not a member of 'nvcuda::wmma'", "wmma::experimental"),
        (
            "'experimental' in namespace 'nvcuda::wmma' does not name a type",
            "wmma::experimental",
        ),
        (
            "'class cooperative_groups::thread_block' has no member named 'barrier_arrive'",
            "this part of cooperative groups (barrier_arrive)",
        ),
        (
            "'cuInit' was not declared in this scope; did you mean 'uint'?",
            "the driver API (cuInit)",
        ),
        ("'cudaMemPool_t' was not declared in this scope", "memory pools (cudaMemPool_t)"),
    ],
)
def test_what_only_a_gpu_has_is_named(message: str, named: str) -> None:
    """A right program is told which part of CUDA this backend lacks."""
    assert feature(message) == named


@pytest.mark.parametrize(
    "message",
    [
        "'cudaMaloc' was not declared in this scope; did you mean 'cudaMalloc'?",
        "'__syncthread' was not declared in this scope; did you mean 'cudaGraphCreate'?",
        "'texture' was not declared in this scope",
        "use of undeclared identifier 'graph'",
        "'current' was not declared in this scope",
        "'cuda' has not been declared",
        "'x' is not a member of 'std'",
        "expected ';' before '}' token",
    ],
)
def test_a_slip_stays_a_mistake(message: str) -> None:
    """Names of the submission's own, and names that CUDA does not have either."""
    assert feature(message) is None
