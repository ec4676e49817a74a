#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    extern __shared__ float s[];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < N ? A[i] : 0;  // finding: out_of_bounds
    __syncthreads();
    if (i < N) B[i] = s[t];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128, 127 * sizeof(float)>>>(A, B, N);
}
