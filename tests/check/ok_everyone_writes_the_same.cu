#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ int found;
    int i = blockIdx.x * 128 + threadIdx.x;
    found = 0;
    __syncthreads();
    if (i < N) found = 1;
    __syncthreads();
    if (i < N) B[i] = found ? A[i] : 0;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
