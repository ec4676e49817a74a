// expect: WA mismatch|precision|unwritten
// Each block stores its own sum: one of them stays.
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
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) sum += (predictions[i] - targets[i]) * (predictions[i] - targets[i]);
    sum = block_sum(sum);
    if (threadIdx.x == 0) mse[0] = sum / N;
}

extern "C" void solve(const float* predictions, const float* targets, float* mse, int N) {
    int blocks = (N + 255) / 256;
    total<<<blocks < 1024 ? blocks : 1024, 256>>>(predictions, targets, mse, N);
}
