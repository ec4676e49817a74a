#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float sum;
    __syncthreads();
    atomicAdd(&sum, A[threadIdx.x]);  // finding: uninitialised
    __syncthreads();
    if (threadIdx.x == 0) B[0] = sum;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 128>>>(A, B, N);
}
