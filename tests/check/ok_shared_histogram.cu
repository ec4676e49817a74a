#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ int h[8];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t < 8) h[t] = 0;
    __syncthreads();
    if (i < N) atomicAdd(&h[i % 8], 1);
    __syncthreads();
    if (i < N) B[i] = A[i] + 0 * h[t % 8];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
