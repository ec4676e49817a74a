#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x == 0 && i < N)
        *B = *B + A[i];  // finding: race, uninitialised
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
