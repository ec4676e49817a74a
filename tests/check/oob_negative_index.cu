#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < N ? A[i] : 0;
    __syncthreads();
    float before = s[t - 1];  // finding: out_of_bounds
    if (i < N) B[i] = t > 0 ? s[t] + 0 * before : s[t];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
