// Multi-head attention: in each of h heads, output = softmax(Q * K^T / sqrt(head_dim)) * V.
//
// Idea:   a warp for each query of each head. Its lanes share out the keys for the scores, and the
//         columns for the weighted mean; the N scores lie in shared memory in between.
// Launch: 32 threads a block, x along the queries, y along the heads; N floats of shared memory,
//         32 KiB for the largest N.
// Tails:  lanes take every 32nd key and every 32nd column, as long as there are any.
//
// rung: 1
#include <cuda_runtime.h>
#include <math.h>

constexpr unsigned ALL = 0xffffffff;

__global__ void attend(const float* Q, const float* K, const float* V, float* output, int N,
                       int d_model, int head_dim) {
    extern __shared__ float weights[];
    const size_t first = size_t(blockIdx.y) * head_dim;  // column of this head
    const float* query = Q + size_t(blockIdx.x) * d_model + first;
    const float root = sqrtf(float(head_dim));

    float largest = -INFINITY, sum = 0.0f;
    for (int key = threadIdx.x; key < N; key += 32) {
        float score = 0.0f;
        for (int c = 0; c < head_dim; ++c) score += query[c] * K[size_t(key) * d_model + first + c];
        weights[key] = score / root;
        largest = fmaxf(largest, weights[key]);
    }
    for (int step = 16; step > 0; step /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(ALL, largest, step));
    for (int key = threadIdx.x; key < N; key += 32) sum += weights[key] = expf(weights[key] - largest);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(ALL, sum, step);
    __syncwarp();  // all weights are there

    for (int c = threadIdx.x; c < head_dim; c += 32) {
        float mean = 0.0f;
        for (int key = 0; key < N; ++key) mean += weights[key] * V[size_t(key) * d_model + first + c];
        output[size_t(blockIdx.x) * d_model + first + c] = mean / sum;
    }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int N,
                      int d_model, int h) {
    attend<<<dim3(N, h), 32, N * sizeof(float)>>>(Q, K, V, output, N, d_model, d_model / h);
}
