// FP16 batched matrix multiplication: C[b] = A[b] * B[b]; A is BATCH x M x K, B is BATCH x K x N.
//
// Idea:   a block computes a 16 x 16 part of one product from tiles of A and B in shared memory.
//         Halves become floats on the way into a tile, and sums are floats throughout.
// Launch: 16 x 16 threads a block, one element of C each; z along the batch.
// Tails:  elements beyond a matrix are zeros in the tiles; nobody leaves before the last barrier.
//
// rung: 1
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void multiply(const half* A, const half* B, half* C, int M, int N, int K) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    A += size_t(blockIdx.z) * M * K;
    B += size_t(blockIdx.z) * K * N;
    C += size_t(blockIdx.z) * M * N;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[y][x] = row < M && k0 + x < K ? __half2float(A[size_t(row) * K + k0 + x]) : 0.0f;
        b[y][x] = k0 + y < K && col < N ? __half2float(B[size_t(k0 + y) * N + col]) : 0.0f;
        __syncthreads();  // both tiles are whole
        for (int k = 0; k < TILE; ++k) sum += a[y][k] * b[k][x];
        __syncthreads();  // nobody needs them any more
    }
    if (row < M && col < N) C[size_t(row) * N + col] = __float2half(sum);
}

extern "C" void solve(const half* A, const half* B, half* C, int BATCH, int M, int N, int K) {
    const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE, BATCH);
    multiply<<<grid, dim3(TILE, TILE)>>>(A, B, C, M, N, K);
}
