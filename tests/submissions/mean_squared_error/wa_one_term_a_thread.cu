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

__global__ void total(const float* predictions, const float* targets, float* mse, int N) {
    float sum = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) sum += (predictions[i] - targets[i]) * (predictions[i] - targets[i]);
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(mse, sum / N);
}

extern "C" void solve(const float* predictions, const float* targets, float* mse, int N) {
    int blocks = (N + 255) / 256;
    total<<<blocks < 4 ? blocks : 4, 256>>>(predictions, targets, mse, N);
}
