// Reduction: output[0] = the sum of input.
//
// Idea:   a thread adds up many terms of its own, a warp puts its 32 sums together by shuffles, the
//         first warp of a block those of its warps, and one atomic addition a block does the rest.
// Launch: 256 threads a block, as many blocks as N needs but no more than 1024.
// Tails:  a thread beyond N has the sum 0 and shuffles along.
//
// rung: 2
#include <cuda_runtime.h>

__device__ float block_sum(float value) {
    __shared__ float of_warp[32];
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, step);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f;
    if (threadIdx.x < 32)
        for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, step);
    return value;
}

__global__ void total(const float* input, float* output, int N) {
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) sum += input[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(output, sum);
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N + 255) / 256;
    total<<<blocks < 1024 ? blocks : 1024, 256>>>(input, output, N);
}
