// Prefix sum: output[i] = input[0] + ... + input[i].
//
// Idea:   sums within blocks (Hillis and Steele: each step adds what stands 1, 2, 4, ... before), then
//         the prefix sum of the blocks' sums by the same function, then their addition.
// Launch: a thread an element, 256 a block; as many levels as it takes until one block is enough.
// Tails:  elements beyond N are zeros in shared memory and are not stored.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int BLOCK = 256;

// The inclusive sum within each block, in place of `data`; `sums` gets the sum of each block.
__global__ void scan_blocks(const float* data, float* out, float* sums, int n) {
    __shared__ float part[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    part[t] = i < n ? data[i] : 0.0f;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        float before = t >= step ? part[t - step] : 0.0f;
        __syncthreads();
        part[t] += before;
        __syncthreads();
    }
    if (i < n) out[i] = part[t];
    if (t == BLOCK - 1) sums[blockIdx.x] = part[t];
}

// Adds to each block what stands before it.
__global__ void add_before(float* out, const float* sums, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
}

void scan(const float* data, float* out, int n) {
    int blocks = (n + BLOCK - 1) / BLOCK;
    float* sums;
    cudaMalloc(&sums, blocks * sizeof(float));
    scan_blocks<<<blocks, BLOCK>>>(data, out, sums, n);
    if (blocks > 1) {
        scan(sums, sums, blocks);
        add_before<<<blocks, BLOCK>>>(out, sums, n);
    }
    cudaFree(sums);
}

extern "C" void solve(const float* input, float* output, int N) {
    scan(input, output, N);
}
