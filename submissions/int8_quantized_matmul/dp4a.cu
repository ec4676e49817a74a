// Quantized matrix multiplication: C = saturate(round(sum * scale) + zero_point_C).
//
// Idea:   __dp4a multiplies and adds four pairs of bytes in one instruction, but a difference to a
//         zero point does not fit a byte. So the bytes are multiplied as they are, and
//             sum (a - za)(b - zb) = sum a b - zb sum a - za sum b + K za zb
//         puts the zero points right at the end; the sums of a and b alone are __dp4a with ones.
// Launch: 16 x 16 threads a block, one element of C each. A step takes 64 of K, four to a word; B
//         is packed along k, across its rows, on the way into shared memory.
// Tails:  beyond a matrix the bytes are 0 and add nothing to any of the three sums.
//
// rung: 3
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int TILE = 16, DEPTH = TILE * 4;

__device__ unsigned packed(const int8_t* first, size_t step, int count) {
    unsigned word = 0;
    for (int i = 0; i < 4; ++i)
        if (i < count) word |= unsigned(uint8_t(first[i * step])) << (8 * i);
    return word;
}

__global__ void multiply(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K,
                         float scale, int zero_point_A, int zero_point_B, int zero_point_C) {
    __shared__ int a[TILE][TILE], b[TILE][TILE];  // four bytes a word
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    constexpr int ONES = 0x01010101;

    int products = 0, sum_a = 0, sum_b = 0;
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        const int ka = k0 + 4 * x, kb = k0 + 4 * y;
        a[y][x] = row < M && ka < K ? packed(A + size_t(row) * K + ka, 1, K - ka) : 0;
        b[y][x] = kb < K && col < N ? packed(B + size_t(kb) * N + col, N, K - kb) : 0;
        __syncthreads();  // both tiles are whole
        for (int k = 0; k < TILE; ++k) {
            products = __dp4a(a[y][k], b[k][x], products);
            sum_a = __dp4a(a[y][k], ONES, sum_a);
            sum_b = __dp4a(b[k][x], ONES, sum_b);
        }
        __syncthreads();  // nobody needs them any more
    }
    if (row >= M || col >= N) return;
    const int sum = products - zero_point_B * sum_a - zero_point_A * sum_b +
                    K * zero_point_A * zero_point_B;
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
