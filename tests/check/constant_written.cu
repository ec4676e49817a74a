#include <cuda_runtime.h>

__constant__ float weights[4] = {1, 1, 1, 1};
__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < 4) weights[i] = 1;  // finding: constant_write
    if (i < N) B[i] = A[i] * weights[i % 4];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
