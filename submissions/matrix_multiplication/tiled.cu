// Matrix multiplication: C = A * B; A is M x N, B is N x K, C is M x K, row-major.
//
// Idea:   a block computes a TILE x TILE part of C. It walks along N in steps of TILE, brings a
//         tile of A and one of B into shared memory, and each element brought in serves TILE sums.
// Launch: TILE x TILE threads a block, one element of C each.
// Tails:  elements beyond a matrix are zeros in the tiles; nobody leaves before the last barrier.
//
// rung: 2
// sweep: TILE=8,16,32
#include <cuda_runtime.h>

#ifndef TILE
#define TILE 16
#endif

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;

    float sum = 0.0f;
    for (int n0 = 0; n0 < N; n0 += TILE) {
        a[y][x] = row < M && n0 + x < N ? A[size_t(row) * N + n0 + x] : 0.0f;
        b[y][x] = n0 + y < N && col < K ? B[size_t(n0 + y) * K + col] : 0.0f;
        __syncthreads();  // both tiles are whole
        for (int n = 0; n < TILE; ++n) sum += a[y][n] * b[n][x];
        __syncthreads();  // nobody needs them any more
    }
    if (row < M && col < K) C[size_t(row) * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 grid((K + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    multiply<<<grid, dim3(TILE, TILE)>>>(A, B, C, M, N, K);
}
