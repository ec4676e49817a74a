// Softmax attention: output = softmax(Q * K^T / sqrt(d)) * V, row-major.
//
// Idea:   no M x N scores: a warp walks with its query over the keys, 32 at a time, and keeps the
//         largest score so far, the sum of the weights and the weighted sum of V. Where a larger
//         score turns up, what was summed so far shrinks by exp(old maximum - new maximum).
//         Known as online softmax (Milakov and Gimelshein 2018), the core of FlashAttention.
// Launch: 4 warps a block, a query each; they share tiles of 32 keys and their rows of V.
// Tails:  a key beyond N has the score -infinity and the weight 0; a warp beyond M helps to load.
//
// rung: 2
#include <cuda_runtime.h>
#include <math.h>

constexpr int WARPS = 4, TILE = 32, MOST = 128;  // MOST: of d
constexpr int EACH = MOST / 32;                  // columns of V for each lane
constexpr unsigned ALL = 0xffffffff;

__global__ void attend(const float* Q, const float* K, const float* V, float* output, int M, int N,
                       int d, float scale) {
    __shared__ float query[WARPS][MOST], weight[WARPS][TILE];
    __shared__ float keys[TILE][MOST + 1];  // the odd pitch spreads a column over the banks
    const int lane = threadIdx.x, warp = threadIdx.y, row = blockIdx.x * WARPS + warp;
    for (int c = lane; c < d; c += 32) query[warp][c] = row < M ? Q[size_t(row) * d + c] : 0.0f;

    float largest = -INFINITY, total = 0.0f, sum[EACH] = {};
    for (int first = 0; first < N; first += TILE) {
        const int count = min(TILE, N - first);
        __syncthreads();  // nobody needs the last tile any more
        for (int i = warp; i < count; i += WARPS)
            for (int c = lane; c < d; c += 32) keys[i][c] = K[size_t(first + i) * d + c];
        __syncthreads();  // the tile is whole

        float score = -INFINITY;  // of this lane's key
        if (lane < count) {
            score = 0.0f;
            for (int c = 0; c < d; ++c) score += query[warp][c] * keys[lane][c];
            score *= scale;
        }
        float peak = fmaxf(largest, score);
        for (int step = 16; step > 0; step /= 2) peak = fmaxf(peak, __shfl_xor_sync(ALL, peak, step));
        const float shrink = expf(largest - peak);
        largest = peak;
        weight[warp][lane] = expf(score - peak);
        __syncwarp();  // all weights are there
        total *= shrink;
        for (int i = 0; i < count; ++i) total += weight[warp][i];
        for (int e = 0; e < EACH; ++e) {
            const int c = lane + 32 * e;
            if (c >= d) break;
            sum[e] *= shrink;
            for (int i = 0; i < count; ++i)
                sum[e] += weight[warp][i] * V[size_t(first + i) * d + c];
        }
        __syncwarp();  // nobody needs them any more
    }
    for (int e = 0; e < EACH; ++e) {
        const int c = lane + 32 * e;
        if (row < M && c < d) output[size_t(row) * d + c] = sum[e] / total;
    }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N,
                      int d) {
    attend<<<(M + WARPS - 1) / WARPS, dim3(32, WARPS)>>>(Q, K, V, output, M, N, d,
                                                         1.0f / sqrtf(float(d)));
}
