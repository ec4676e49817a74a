#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    for (int step = 0; step < t % 2 + 1; step++) {
        s[t] = i < N ? A[i] : 0;
        __syncthreads();  // finding: barrier
    }
    __syncthreads();  // finding: barrier
    if (i < N) B[i] = s[t];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
