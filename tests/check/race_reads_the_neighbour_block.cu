#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N)
        B[i] = A[i];  // finding: race
    if (i < N && threadIdx.x == 0 && i > 0)
        B[i + 1] += B[i - 1] * 2 + 1;  // finding: race, uninitialised
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
