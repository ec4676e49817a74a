// Matrix copy: B = A, both N x N, row-major, in device memory. statement.md has the details.
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    // Each thread finds its element and copies it, if there is one.
}

extern "C" void solve(const float* A, float* B, int N) {
    const int threads = 256;
    copy<<<(N * N + threads - 1) / threads, threads>>>(A, B, N);
}
