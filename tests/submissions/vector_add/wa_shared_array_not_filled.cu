// expect: WA nonfinite
// expect gpu: luck
// Adds an array of shared memory that was meant to hold A, and that nothing writes.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
    __shared__ float a[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < N) C[i] = a[threadIdx.x] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
