#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = A[t];  // finding: race
    B[t] = s[(t + 64) % 128];  // finding: race, uninitialised
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 128, 512>>>(A, B, N);
}
