#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) B[i] = A[i + 1] - A[i + 1] + A[i];  // finding: out_of_bounds
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
