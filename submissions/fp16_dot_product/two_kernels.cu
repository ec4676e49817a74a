// FP16 dot product: result[0] = sum of A[i] * B[i], summed up in float and rounded once.
//
// Idea:   each thread sums up pairs a whole grid apart, the threads of a block meet in shuffles,
//         and the blocks leave their sums in a buffer. A second kernel of one block adds those up
//         and rounds to half.
// Launch: at most 1024 blocks of 256 threads, then one block.
// Tails:  two halves at a time; the first thread takes the last one where N is odd.
//
// rung: 1
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int THREADS = 256, MOST_BLOCKS = 1024;

// The sum of one number of each thread of the block, in its first thread.
__device__ float block_sum(float mine) {
    __shared__ float of_warp[THREADS / 32];
    for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff, mine, step);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    float sum = 0.0f;
    if (threadIdx.x == 0)
        for (int warp = 0; warp < THREADS / 32; ++warp) sum += of_warp[warp];
    return sum;
}

__global__ void dot(const half* A, const half* B, float* sums, int N) {
    float sum = 0.0f;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N / 2; i += gridDim.x * THREADS) {
        const float2 a = __half22float2(reinterpret_cast<const half2*>(A)[i]);
        const float2 b = __half22float2(reinterpret_cast<const half2*>(B)[i]);
        sum += a.x * b.x + a.y * b.y;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0 && N % 2)
        sum += __half2float(A[N - 1]) * __half2float(B[N - 1]);
    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void finish(const float* sums, int count, half* result) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < count; i += THREADS) sum += sums[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *result = __float2half(sum);
}

extern "C" void solve(const half* A, const half* B, half* result, int N) {
    const int blocks = min((N / 2 + THREADS) / THREADS, MOST_BLOCKS);
    float* sums = nullptr;
    cudaMalloc(&sums, blocks * sizeof(float));
    dot<<<blocks, THREADS>>>(A, B, sums, N);
    finish<<<1, THREADS>>>(sums, blocks, result);
    cudaFree(sums);
}
