#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float* p = s;
    p[t + 4] = i < N ? A[i] : 0;  // finding: out_of_bounds
    __syncthreads();
    if (i < N) B[i] = s[t];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
