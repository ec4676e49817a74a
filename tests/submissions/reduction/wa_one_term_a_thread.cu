// expect: WA mismatch|precision|unwritten
// The grid is cut to 4 blocks, but a thread takes one element only.
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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) sum += input[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(output, sum);
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N + 255) / 256;
    total<<<blocks < 4 ? blocks : 4, 256>>>(input, output, N);
}
