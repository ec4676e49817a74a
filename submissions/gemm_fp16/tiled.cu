// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float.
//
// Idea:   a block stages TILE x TILE tiles of A and B in shared memory, so that each element is
//         read from global memory once a block and not once a thread.
// Launch: TILE x TILE threads a block, x along the columns of C, one thread an output. TILE is 16
//         or -D TILE=n. A block has at most 1024 threads, so 32 is the largest that launches.
// Tails:  what lies outside A or B is staged as 0 and adds nothing; the store asks for M and N.
//
// rung: 2
// sweep: TILE=8,16,32,64
#include <cuda_fp16.h>

#ifndef TILE
#define TILE 16
#endif

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    __shared__ half a_tile[TILE][TILE];  // [row][k]
    __shared__ half b_tile[TILE][TILE];  // [k][col]
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;
    const half zero = __float2half(0.0f);

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a_tile[y][x] = row < M && k0 + x < K ? A[size_t(row) * K + k0 + x] : zero;
        b_tile[y][x] = k0 + y < K && col < N ? B[size_t(k0 + y) * N + col] : zero;
        __syncthreads();  // the tile is whole
        for (int k = 0; k < TILE; ++k) {
            sum += __half2float(a_tile[y][k]) * __half2float(b_tile[k][x]);
        }
        __syncthreads();  // nobody reads the tile any more
    }

    if (row >= M || col >= N) return;
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 block(TILE, TILE);
    const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    gemm<<<grid, block>>>(A, B, C, M, N, K, alpha, beta);
}
