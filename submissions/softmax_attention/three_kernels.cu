// Softmax attention: output = softmax(Q * K^T / sqrt(d)) * V, row-major.
//
// Idea:   the formula step by step, with the M x N scores in a buffer of their own: a product, a
//         softmax of each row, another product.
// Launch: 16 x 16 threads a block for the products, one element each; a block of 256 threads a row
//         for the softmax, which takes the maximum off first, so that no exponential overflows.
// Tails:  threads beyond a matrix do nothing.
//
// rung: 1
#include <cuda_runtime.h>
#include <math.h>

constexpr int THREADS = 256;

__global__ void score(const float* Q, const float* K, float* scores, int M, int N, int d) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int key = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || key >= N) return;
    float sum = 0.0f;
    for (int c = 0; c < d; ++c) sum += Q[size_t(row) * d + c] * K[size_t(key) * d + c];
    scores[size_t(row) * N + key] = sum / sqrtf(float(d));
}

// The maximum or the sum of one number of each thread, for all threads of the block.
__device__ float combined(float mine, bool largest) {
    __shared__ float all[THREADS];
    all[threadIdx.x] = mine;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const float other = all[threadIdx.x + half];
            all[threadIdx.x] = largest ? fmaxf(all[threadIdx.x], other) : all[threadIdx.x] + other;
        }
        __syncthreads();
    }
    const float result = all[0];
    __syncthreads();  // everyone has read it before the next call overwrites it
    return result;
}

__global__ void softmax(float* scores, int N) {
    float* row = scores + size_t(blockIdx.x) * N;
    float largest = -INFINITY, sum = 0.0f;
    for (int key = threadIdx.x; key < N; key += THREADS) largest = fmaxf(largest, row[key]);
    largest = combined(largest, true);
    for (int key = threadIdx.x; key < N; key += THREADS) sum += row[key] = expf(row[key] - largest);
    sum = combined(sum, false);
    for (int key = threadIdx.x; key < N; key += THREADS) row[key] /= sum;
}

__global__ void weigh(const float* weights, const float* V, float* output, int M, int N, int d) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= d) return;
    float sum = 0.0f;
    for (int key = 0; key < N; ++key) sum += weights[size_t(row) * N + key] * V[size_t(key) * d + col];
    output[size_t(row) * d + col] = sum;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N,
                      int d) {
    float* scores = nullptr;
    cudaMalloc(&scores, size_t(M) * N * sizeof(float));
    const dim3 block(16, 16);
    score<<<dim3((M + 15) / 16, (N + 15) / 16), block>>>(Q, K, scores, M, N, d);
    softmax<<<M, THREADS>>>(scores, N);
    weigh<<<dim3((M + 15) / 16, (d + 15) / 16), block>>>(scores, V, output, M, N, d);
    cudaFree(scores);
}
