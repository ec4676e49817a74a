#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    float v = A[threadIdx.x];
    if (threadIdx.x < 16)
        v += __shfl_xor_sync(0xffffffff, v, 1);  // finding: deadlock
    else
        __syncthreads();  // finding: deadlock
    B[threadIdx.x] = v;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 32>>>(A, B, N);
}
