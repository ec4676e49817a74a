#include <cuda_runtime.h>

__device__ int counter;
__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= N) return;
    B[i] = A[i];
    counter++;  // finding: race
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
