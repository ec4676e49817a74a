#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    int t = threadIdx.x;
    B[t / 2] = A[t];  // finding: race
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 128>>>(A, B, N);
}
