// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float.
//
// Idea:   one instruction moves eight halves (16 bytes): half of the block fetches A, the other
//         half B, one such load a thread a tile; shared memory is read four floats at a time.
// Launch: as register_tiled.cu: 256 threads a block, 64 x 64 x 16 tiles, 4 x 4 outputs a thread.
// Tails:  rows of ragged length start anywhere, so each load asks whether its own address is a
//         multiple of 16 and all eight lie inside; if not, it takes them one by one, 0 outside.
//
// rung: 4
#include <cstdint>
#include <cuda_fp16.h>

constexpr int BM = 64, BN = 64, BK = 16;  // block tile
constexpr int TM = 4, TN = 4;             // outputs of a thread
constexpr int THREADS = (BM / TM) * (BN / TN);

struct alignas(16) Half8 {
    half at[8];
};
static_assert(BM * BK == THREADS / 2 * 8 && BK * BN == THREADS / 2 * 8, "one Half8 a thread");

// X[row, col .. col + 7] of a matrix of rows x cols, 0 outside.
__device__ Half8 load8(const half* X, int row, int col, int rows, int cols) {
    const half* p = X + size_t(row) * cols + col;
    const bool whole = row < rows && col + 8 <= cols;
    const bool aligned = reinterpret_cast<uintptr_t>(p) % 16 == 0;
    if (whole && aligned) return *reinterpret_cast<const Half8*>(p);
    Half8 v;
    for (int i = 0; i < 8; ++i) v.at[i] = row < rows && col + i < cols ? p[i] : __float2half(0.0f);
    return v;
}

__global__ void __launch_bounds__(THREADS)
    gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
    __shared__ __align__(16) float a_tile[BK][BM + 4];  // [k][row]; rows stay multiples of 16 bytes
    __shared__ __align__(16) float b_tile[BK][BN];      // [k][col]
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // corner of this tile of C
    const int row1 = threadIdx.x / (BN / TN) * TM;             // in it: this thread's corner
    const int col1 = threadIdx.x % (BN / TN) * TN;
    const bool fetches_a = threadIdx.x < THREADS / 2;
    const int fetch = threadIdx.x % (THREADS / 2);  // which Half8 of the tile this thread fetches

    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        if (fetches_a) {
            const int row = fetch % BM, k = fetch / BM * 8;
            const Half8 v = load8(A, row0 + row, k0 + k, M, K);
            for (int i = 0; i < 8; ++i) a_tile[k + i][row] = __half2float(v.at[i]);
        } else {
            const int k = fetch / (BN / 8), col = fetch % (BN / 8) * 8;
            const Half8 v = load8(B, k0 + k, col0 + col, K, N);
            for (int i = 0; i < 8; ++i) b_tile[k][col + i] = __half2float(v.at[i]);
        }
        __syncthreads();  // the tiles are whole
        for (int k = 0; k < BK; ++k) {
            const float4 a4 = *reinterpret_cast<const float4*>(&a_tile[k][row1]);
            const float4 b4 = *reinterpret_cast<const float4*>(&b_tile[k][col1]);
            const float a[TM] = {a4.x, a4.y, a4.z, a4.w}, b[TN] = {b4.x, b4.y, b4.z, b4.w};
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();  // nobody reads the tiles any more
    }

    for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) {
            const int row = row0 + row1 + i, col = col0 + col1 + j;
            if (row >= M || col >= N) continue;
            half* c = C + size_t(row) * N + col;
            *c = __float2half(alpha * sum[i][j] + beta * __half2float(*c));
        }
    }
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
    gemm<<<grid, THREADS>>>(A, B, C, M, N, K, alpha, beta);
}
