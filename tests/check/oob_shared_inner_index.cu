#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[4][32];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t / 32][t % 32] = i < N ? A[i] : 0;
    __syncthreads();
    if (i < N) B[i] = s[t / 32][t % 32 + (t % 32 == 31 && t < 64)];  // finding: out_of_bounds
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
