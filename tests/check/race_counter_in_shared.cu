#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ int positive;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) positive = 0;
    __syncthreads();
    if (i < N && A[i] > 0) positive++;  // finding: race
    __syncthreads();
    if (i < N) B[i] = positive >= 0 ? A[i] : 0;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
