// expect: RE barrier_divergence
// expect gpu: TLE timeout
// The left half of the threads loads the tiles and waits; the right half does not wait with it. A
// GPU pairs the two barriers as they come, and the right half reads tiles that are not there yet.
#include <cuda_fp16.h>

constexpr int TILE = 16;

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    __shared__ half a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    const half zero = __float2half(0.0f);
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        if (x < TILE / 2) {
            for (int i = x; i < TILE; i += TILE / 2) {
                const int k = k0 + i, b_col = blockIdx.x * TILE + i;
                a_tile[y][i] = row < M && k < K ? A[size_t(row) * K + k] : zero;
                b_tile[y][i] = k0 + y < K && b_col < N ? B[size_t(k0 + y) * N + b_col] : zero;
            }
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k) {
            sum += __half2float(a_tile[y][k]) * __half2float(b_tile[k][x]);
        }
        __syncthreads();
    }
    if (row >= M || col >= N) return;
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    gemm<<<grid, dim3(TILE, TILE)>>>(A, B, C, M, N, K, alpha, beta);
}
