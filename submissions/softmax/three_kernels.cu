// Softmax: output = exp(input - m) / sum(exp(input - m)), m the largest element.
//
// Idea:   each block finds the largest element of its part and the sum relative to that. One block then
//         finds the largest of all and rescales the sums to it: exp(a - m) = exp(a - b) * exp(b - m).
//         So the vector is read twice, where three passes read it three times.
// Launch: 256 threads a block, as many blocks as N needs but no more than 1024; one block of 1024 in
//         between.
// Tails:  a thread without elements has the maximum -infinity, which must not meet another one in a
//         difference, and the sum 0.
//
// rung: 2
#include <cmath>
#include <cuda_runtime.h>

constexpr int THREADS = 256, MOST_BLOCKS = 1024;

// The largest of some elements, and the sum of exp(element - most).
struct Part {
    float most, sum;
};

__device__ Part together(Part a, Part b) {
    const float most = fmaxf(a.most, b.most);
    if (most == -INFINITY) return a;
    return {most, a.sum * expf(a.most - most) + b.sum * expf(b.most - most)};
}

// Of a whole block; thread 0 gets it.
__device__ Part of_block(Part mine) {
    __shared__ Part of_warp[32];
    for (int step = 16; step > 0; step /= 2)
        mine = together(mine, {__shfl_down_sync(0xFFFFFFFFu, mine.most, step),
                               __shfl_down_sync(0xFFFFFFFFu, mine.sum, step)});
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : Part{-INFINITY, 0.0f};
    if (threadIdx.x < 32)
        for (int step = 16; step > 0; step /= 2)
            mine = together(mine, {__shfl_down_sync(0xFFFFFFFFu, mine.most, step),
                                   __shfl_down_sync(0xFFFFFFFFu, mine.sum, step)});
    return mine;
}

__global__ void parts_of_blocks(const float* input, Part* parts, int N) {
    Part mine{-INFINITY, 0.0f};
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS)
        mine = together(mine, {input[i], 1.0f});
    mine = of_block(mine);
    if (threadIdx.x == 0) parts[blockIdx.x] = mine;
}

__global__ void part_of_all(Part* parts, int blocks) {
    Part mine = threadIdx.x < blocks ? parts[threadIdx.x] : Part{-INFINITY, 0.0f};
    mine = of_block(mine);
    if (threadIdx.x == 0) parts[0] = mine;
}

__global__ void divide(const float* input, float* output, const Part* all, int N) {
    const Part part = *all;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS)
        output[i] = expf(input[i] - part.most) / part.sum;
}

extern "C" void solve(const float* input, float* output, int N) {
    const int needed = (N + THREADS - 1) / THREADS;
    const int blocks = needed < MOST_BLOCKS ? needed : MOST_BLOCKS;
    Part* parts;
    cudaMalloc(&parts, blocks * sizeof(Part));
    parts_of_blocks<<<blocks, THREADS>>>(input, parts, N);
    part_of_all<<<1, MOST_BLOCKS>>>(parts, blocks);
    divide<<<blocks, THREADS>>>(input, output, parts, N);
    cudaFree(parts);
}
