#include <cuda_runtime.h>

__device__ unsigned count = 0;
__global__ void k(const float* A, float* B, float* part, int N) {
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i < N) B[i] = A[i];
    if (t == 0) {
        part[blockIdx.x] = A[blockIdx.x];
        __threadfence();
        last = atomicInc(&count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; b++) sum += part[b];
        part[0] = sum;
    }
}
extern "C" void solve(const float* A, float* B, int N) {
    float* part;
    cudaMalloc(&part, 1024 * 4);
    k<<<(N + 127) / 128, 128>>>(A, B, part, N);
    cudaFree(part);
}
