#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[128];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) {
        s[t] = i < N ? A[i] : 0;  // finding: race
        __syncthreads();
        if (i < N) B[i] = s[127 - t];  // finding: race
    }
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 128>>>(A, B, N);
}
