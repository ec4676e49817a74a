// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float.
//
// Idea:   two stages of shared memory. The next tile travels from global memory into registers
//         while the present one is multiplied, then goes to the other stage: one barrier a tile,
//         and the latency of the loads is hidden.
// Launch: as vectorized.cu: 256 threads a block, 64 x 64 x 16 tiles, 4 x 4 outputs a thread.
// Tails:  loads outside A and B give 0, also the prefetch behind the last tile, which is not used;
//         a load that is not aligned or not whole takes its halves one by one.
#include <cstdint>
#include <cuda_fp16.h>

constexpr int BM = 64, BN = 64, BK = 16;  // block tile
constexpr int TM = 4, TN = 4;             // outputs of a thread
constexpr int THREADS = (BM / TM) * (BN / TN);

struct alignas(16) Half8 {
    half at[8];
};
static_assert(BM * BK == THREADS / 2 * 8 && BK * BN == THREADS / 2 * 8, "one Half8 a thread");

struct Stage {
    alignas(16) float a[BK][BM + 4];  // [k][row]; rows stay multiples of 16 bytes
    alignas(16) float b[BK][BN];      // [k][col]
};

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
    __shared__ Stage stages[2];
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // corner of this tile of C
    const int row1 = threadIdx.x / (BN / TN) * TM;             // in it: this thread's corner
    const int col1 = threadIdx.x % (BN / TN) * TN;
    const bool fetches_a = threadIdx.x < THREADS / 2;
    const int fetch = threadIdx.x % (THREADS / 2);  // which Half8 of the tile this thread fetches
    const int a_row = fetch % BM, a_k = fetch / BM * 8;
    const int b_k = fetch / (BN / 8), b_col = fetch % (BN / 8) * 8;

    const auto fetch_tile = [&](int k0) {
        return fetches_a ? load8(A, row0 + a_row, k0 + a_k, M, K)
                         : load8(B, k0 + b_k, col0 + b_col, K, N);
    };
    const auto store_tile = [&](Stage& stage, const Half8& v) {
        for (int i = 0; i < 8; ++i) {
            if (fetches_a) stage.a[a_k + i][a_row] = __half2float(v.at[i]);
            else stage.b[b_k][b_col + i] = __half2float(v.at[i]);
        }
    };

    float sum[TM][TN] = {};
    int now = 0;
    store_tile(stages[now], fetch_tile(0));
    __syncthreads();
    for (int k0 = 0; k0 < K; k0 += BK) {
        const Half8 next = fetch_tile(k0 + BK);
        const Stage& stage = stages[now];
        for (int k = 0; k < BK; ++k) {
            const float4 a4 = *reinterpret_cast<const float4*>(&stage.a[k][row1]);
            const float4 b4 = *reinterpret_cast<const float4*>(&stage.b[k][col1]);
            const float a[TM] = {a4.x, a4.y, a4.z, a4.w}, b[TN] = {b4.x, b4.y, b4.z, b4.w};
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
        }
        now ^= 1;
        store_tile(stages[now], next);  // last read before the barrier of the turn before
        __syncthreads();
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
