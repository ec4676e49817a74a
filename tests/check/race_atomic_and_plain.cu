#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1);  // finding: race
    B[threadIdx.x] = count;  // finding: race
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 128>>>(A, B, N);
}
