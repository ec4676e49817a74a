#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = A[t];  // finding: race
    B[t] = s[t ^ 1];  // finding: race, uninitialised
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 32>>>(A, B, N);
}
