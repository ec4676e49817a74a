"""Which names a text declares in device memory."""

from __future__ import annotations

import pytest

from judge import entry, spec
from judge.rewrite import rewrite
from judge.variables import table

COPY = spec.load("vector_add")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("__device__ int counter;", {"counter": "d"}),
        ("static __device__ volatile unsigned long long n = 0, m;", {"n": "d", "m": "d"}),
        ("__device__ float a[4][5], *b, c{1};", {"a": "d", "b": "d", "c": "d"}),
        ("__constant__ float w[] = {1, 2}, v = x, u;", {"w": "c", "v": "c", "u": "c"}),
        ("__device__ float* p = host;", {"p": "d"}),
        ("__device__ __managed__ int x; __managed__ int y;", {"x": "m", "y": "m"}),
        ("__device__ __constant__ int x;", {"x": "c"}),
        ("__align__(16) __device__ alignas(8) float4 q[2];", {"q": "d"}),
        ("__device__ struct S { int a; } s;", {"S": "d", "s": "d"}),
        ("__device__ float (*f)(float, int) = g;", {"f": "d"}),
        ("__device__ float (*const f[2])(float) = {g, h}, z;", {"const": "d", "f": "d", "z": "d"}),
        ("template <class T> __device__ T scratch[64];", {"scratch": "d"}),
        ("__global__ void k() { static __device__ int calls; }", {"calls": "d"}),
        ("__device__ float f(float x) { int y; return x; }", {}),
        ("__host__ __device__ S() : a(1), b{2} {}", {}),
        ("__device__ S operator+(S a, S b) { S c; return c; }", {}),
        ("auto f = [=] __device__(int i) { int j = i; return j; };", {}),
        ("template <> __device__ int f<3>(int x);", {}),
        ("int host; static float other[4];", {}),
        ("__device__ int", {}),
        ("__device__ int (*", {}),
        ("__device__ int a = {", {"a": "d"}),
        ("__device__", {}),
    ],
)
def test_names(text: str, found: dict[str, str]) -> None:
    """Variables are found with their kinds, functions are not; half a declaration does no harm."""
    assert rewrite(text).variables == found


def test_the_runtime_is_told_of_them_only_where_it_watches() -> None:
    """The names stand behind the entry, as a string; without any there is none."""
    names = table({"counter": "d", "w": "c"})
    told = entry.translation_unit("k.cu", "", (), "solve", COPY, variables=names)
    plain = entry.translation_unit("k.cu", "", (), "solve", COPY)

    assert f'const char {entry.VARIABLES}[] = "d counter\\n""c w\\n";' in told
    assert entry.VARIABLES not in plain
