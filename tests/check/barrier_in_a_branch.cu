#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    if (threadIdx.x < 16)
        __syncthreads();  // finding: barrier
    else
        __syncthreads();  // finding: barrier
    B[threadIdx.x] = A[threadIdx.x];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 128>>>(A, B, N);
}
