// Vector addition: C = A + B.
//
// Idea:   one thread an element; neighbours read and write neighbours, so accesses coalesce.
// Launch: blocks of 256 threads, as many as it takes to cover N.
// Tails:  threads beyond N do nothing.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void add(const float* A, const float* B, float* C, int N) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<(N + THREADS - 1) / THREADS, THREADS>>>(A, B, C, N);
}
