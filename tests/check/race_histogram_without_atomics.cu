#include <cuda_runtime.h>

__global__ void k(const float* A, int* h, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N)
        h[A[i] > 0]++;  // finding: race
}
extern "C" void solve(const float* A, float* B, int N) {
    int* h;
    cudaMalloc(&h, 8);
    cudaMemset(h, 0, 8);
    k<<<(N + 127) / 128, 128>>>(A, h, N);
    cudaFree(h);
}
