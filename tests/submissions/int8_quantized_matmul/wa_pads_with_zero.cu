// expect: WA mismatch|stale
// Pads tiles with 0 and takes the zero points off later: the padding adds their product to each sum.
#include <cuda_runtime.h>
#include <stdint.h>

#define TILE 16

__global__ void multiply(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K, float scale,
                         int zero_point_A, int zero_point_B, int zero_point_C) {
    __shared__ int8_t a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    int sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0;
        b[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += (a[y][k] - zero_point_A) * (b[k][x] - zero_point_B);
        __syncthreads();
    }
    if (row >= M || col >= N) return;
    int q = __float2int_rn(sum * scale) + zero_point_C;
    C[row * N + col] = min(max(q, -128), 127);
}

extern "C" void solve(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K, float scale_A, float scale_B,
                      float scale_C, int zero_point_A, int zero_point_B, int zero_point_C) {
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    multiply<<<grid, dim3(TILE, TILE)>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A, zero_point_B,
                                         zero_point_C);
}
