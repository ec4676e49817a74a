// Quantized matrix multiplication: C = saturate(round(sum * scale) + zero_point_C).
//
// Idea:   a block computes a 16 x 16 part of C from tiles of A and B in shared memory. The zero
//         points are taken off on the way into the tile, once an element and not once a product.
// Launch: 16 x 16 threads a block, one element of C each.
// Tails:  beyond a matrix the tiles hold 0, which stands for the zero point and adds nothing.
//
// rung: 2
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int TILE = 16;

__global__ void multiply(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K,
                         float scale, int zero_point_A, int zero_point_B, int zero_point_C) {
    __shared__ short a[TILE][TILE], b[TILE][TILE];  // a difference of two bytes takes nine bits
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;

    int sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[y][x] = row < M && k0 + x < K ? A[size_t(row) * K + k0 + x] - zero_point_A : 0;
        b[y][x] = k0 + y < K && col < N ? B[size_t(k0 + y) * N + col] - zero_point_B : 0;
        __syncthreads();  // both tiles are whole
        for (int k = 0; k < TILE; ++k) sum += a[y][k] * b[k][x];
        __syncthreads();  // nobody needs them any more
    }
    if (row >= M || col >= N) return;
    const int value = __float2int_rn(sum * scale) + zero_point_C;
    C[size_t(row) * N + col] = int8_t(min(max(value, -128), 127));
}

extern "C" void solve(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K,
                      float scale_A, float scale_B, float scale_C, int zero_point_A,
                      int zero_point_B, int zero_point_C) {
    const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    multiply<<<grid, dim3(TILE, TILE)>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C,
                                         zero_point_A, zero_point_B, zero_point_C);
}
