// FP16 batched matrix multiplication: C[b] = A[b] * B[b]; A is BATCH x M x K, B is BATCH x K x N.
//
// Idea:   a warp computes a 16 x 16 part of one product on the tensor cores, 16 terms of K at a
//         time, with float accumulators. Fragments are loaded from shared memory, where rows begin
//         at addresses that the instruction can take, whatever N and K are.
// Launch: one warp a block; z along the batch.
// Tails:  elements beyond a matrix are zeros in the tiles, and what lies beyond C is not stored.
//
// rung: 2
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int TILE = 16;

__global__ void multiply(const half* A, const half* B, half* C, int M, int N, int K) {
    __shared__ __align__(32) half a[TILE * TILE], b[TILE * TILE];
    __shared__ __align__(32) float c[TILE * TILE];
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    const half zero = __float2half(0.0f);
    A += size_t(blockIdx.z) * M * K;
    B += size_t(blockIdx.z) * K * N;
    C += size_t(blockIdx.z) * M * N;

    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int i = threadIdx.x; i < TILE * TILE; i += 32) {
            const int y = i / TILE, x = i % TILE;
            a[i] = row0 + y < M && k0 + x < K ? A[size_t(row0 + y) * K + k0 + x] : zero;
            b[i] = k0 + y < K && col0 + x < N ? B[size_t(k0 + y) * N + col0 + x] : zero;
        }
        __syncwarp();  // both tiles are whole
        wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::row_major> right;
        wmma::load_matrix_sync(left, a, TILE);
        wmma::load_matrix_sync(right, b, TILE);
        wmma::mma_sync(sum, left, right, sum);
        __syncwarp();  // nobody needs them any more
    }
    wmma::store_matrix_sync(c, sum, TILE, wmma::mem_row_major);
    __syncwarp();  // all of it is there
    for (int i = threadIdx.x; i < TILE * TILE; i += 32) {
        const int row = row0 + i / TILE, col = col0 + i % TILE;
        if (row < M && col < N) C[size_t(row) * N + col] = __float2half(c[i]);
    }
}

extern "C" void solve(const half* A, const half* B, half* C, int BATCH, int M, int N, int K) {
    const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE, BATCH);
    multiply<<<grid, 32>>>(A, B, C, M, N, K);
}
