#include <cuda_runtime.h>

__device__ int lock = 0;
__global__ void k(const float* A, float* B, float* sum, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) B[i] = A[i];
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum = *sum + 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
}
extern "C" void solve(const float* A, float* B, int N) {
    float* sum;
    cudaMalloc(&sum, 4);
    cudaMemset(sum, 0, 4);
    k<<<(N + 127) / 128, 128>>>(A, B, sum, N);
    cudaFree(sum);
}
