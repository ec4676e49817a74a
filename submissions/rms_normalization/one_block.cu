// RMS normalization: output = gamma * input / sqrt(mean(input^2) + eps) + beta.
//
// Idea:   one block sums the squares, then scales all elements. Every thread gets the sum by shuffles
//         that exchange. All other multiprocessors have nothing to do.
// Launch: one block of 1024 threads.
// Tails:  a thread without elements has the sum 0.
//
// rung: 1
#include <cuda_runtime.h>

__device__ float block_sum(float value) {
    __shared__ float of_warp[32];
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, step);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    value = of_warp[threadIdx.x % 32];
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, step);
    return value;
}

__global__ void normalize(const float* input, float gamma, float beta, float* output, int N, float eps) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < N; i += blockDim.x) sum += input[i] * input[i];
    float scale = gamma * rsqrtf(block_sum(sum) / N + eps);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        output[i] = input[i] * scale + beta;
}

extern "C" void solve(const float* input, float gamma, float beta, float* output, int N, float eps) {
    normalize<<<1, 1024>>>(input, gamma, beta, output, N, eps);
}
