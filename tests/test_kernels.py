"""Kernels among tokens: which of them a launch can name by itself."""

from __future__ import annotations

import pytest

from judge.kernels import count_arguments, find_kernels
from judge.tokens import nesting, tokenize


@pytest.mark.parametrize(
    ("source", "explicit", "needs_call"),
    [
        ("__global__ void k(int *p) {}", None, False),
        ("void __global__ __launch_bounds__(2 > 1 ? 2 : 1, 1) k(int *p) {}", None, False),
        ("__global__ void __cluster_dims__(2) __attribute__((used)) k(int *p) {}", None, False),
        ("static __global__ void k(int *p, int n = 1) {}", None, True),
        ("template <class T> __global__ void k(T *p) {}", None, True),
        ("template <class T> __global__ void k(T *p) {}", 1, False),
        ("template <class T, int N> __global__ void k(T *p) {}", 1, True),
        ("template <class T, int N> __global__ void k(T *p) {}", 2, False),
        ("template <class T, int N = 2> __global__ void k(T *p) {}", 1, True),
        ("template <class T = A<int, 2>, class U = B<int>> __global__ void k(T *p) {}", 2, False),
        ("template <class... T> __global__ void k(T... p) {}", 3, True),
        (
            "template <class T> __global__ void k(T) {} template <> __global__ void k(int) {}",
            1,
            False,
        ),
        ("template <class T> void f(T); __global__ void k(int *p) {}", None, False),
        ("__global__ void k(int *p); __global__ void k(int *q) {}", None, False),
        ("__global__ void k(int *p) {} __global__ void k(float *p) {}", None, True),
    ],
)
def test_whether_only_a_call_tells(source: str, explicit: int | None, needs_call: bool) -> None:
    """By the template parameters, defaults and overloads of all declarations of one name."""
    tokens = tokenize(source)

    assert needs_call == find_kernels(tokens, nesting(tokens).partner)["k"].needs_call(explicit)


@pytest.mark.parametrize(
    "source", ["void k() {}", "#define __global__ x\nvoid k();", "__global__", ""]
)
def test_what_is_no_kernel(source: str) -> None:
    """Only a declaration with `__global__` is one."""
    tokens = tokenize(source)

    assert find_kernels(tokens, nesting(tokens).partner) == {}


@pytest.mark.parametrize(
    ("inside", "count"), [("", 0), ("int", 1), ("A<int, 2>, (3, 4), f(5, 6)[7]", 3)]
)
def test_arguments_are_counted_at_their_own_level(inside: str, count: int) -> None:
    """A comma inside another list separates nothing."""
    assert count == count_arguments(tokenize(inside))
