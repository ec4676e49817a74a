// Softmax: output = exp(input - m) / sum(exp(input - m)), m the largest element.
//
// Idea:   one block goes over the vector three times: the largest element, the sum, the quotients.
//         Shuffles put the parts of its threads together. All other multiprocessors have nothing to do.
// Launch: one block of 1024 threads.
// Tails:  a thread without elements has the maximum -infinity and the sum 0.
//
// rung: 1
#include <cmath>
#include <cuda_runtime.h>

struct Larger {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// Of a block of 1024 threads; every thread gets the result.
template <class Combine>
__device__ float all_of_block(float value, Combine combine) {
    __shared__ float of_warp[32];
    for (int step = 16; step > 0; step /= 2) value = combine(value, __shfl_xor_sync(0xFFFFFFFFu, value, step));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    value = of_warp[threadIdx.x % 32];
    for (int step = 16; step > 0; step /= 2) value = combine(value, __shfl_xor_sync(0xFFFFFFFFu, value, step));
    __syncthreads();
    return value;
}

// One block: the largest element, the sum of exponentials, the quotients.
__global__ void softmax(const float* input, float* output, int N) {
    float most = -INFINITY, sum = 0.0f;
    for (int i = threadIdx.x; i < N; i += blockDim.x) most = fmaxf(most, input[i]);
    most = all_of_block(most, Larger());
    for (int i = threadIdx.x; i < N; i += blockDim.x) sum += expf(input[i] - most);
    sum = all_of_block(sum, Sum());
    for (int i = threadIdx.x; i < N; i += blockDim.x) output[i] = expf(input[i] - most) / sum;
}

extern "C" void solve(const float* input, float* output, int N) {
    softmax<<<1, 1024>>>(input, output, N);
}
