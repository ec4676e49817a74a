// expect: AC accepted
// Control: sets the output to zero itself, and adds in a tree in shared memory.
#include "solve.h"
#include <cuda_runtime.h>

__global__ void subarray_sum_kernel(const int* input, int* output, int S, int E) {
    __shared__ int sdata[256];
    int tid = threadIdx.x, i = S + blockIdx.x * blockDim.x + tid;
    sdata[tid] = i <= E ? input[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(output, sdata[0]);
}

void solve(const int* input, int* output, int N, int S, int E) {
    cudaMemset(output, 0, sizeof(int));
    int count = E - S + 1;
    subarray_sum_kernel<<<(count + 255) / 256, 256>>>(input, output, S, E);
    cudaDeviceSynchronize();
}
