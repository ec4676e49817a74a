// Subarray sum: output[0] = input[S] + ... + input[E], both ends included.
//
// Idea:   each thread adds up elements a whole grid apart, a warp adds up its 32 sums by shuffles,
//         and one lane adds the result to the output, which begins as zero.
// Launch: at most 1024 blocks of 256 threads, fewer where the part is short.
// Tails:  threads beyond the part bring a zero and take part in the shuffles.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256, MOST_BLOCKS = 1024;

__global__ void add(const int* part, int* output, int count) {
    int sum = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) sum += part[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(output, sum);
}

extern "C" void solve(const int* input, int* output, int N, int S, int E) {
    const int count = E - S + 1;
    const int blocks = min((count + THREADS - 1) / THREADS, MOST_BLOCKS);
    add<<<blocks, THREADS>>>(input + S, output, count);
}
