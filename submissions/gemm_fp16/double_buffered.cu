// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float.
//
// Idea:   two stages of shared memory. The next tile travels from global memory into registers
//         while the present one is multiplied, then goes to the other stage: one barrier a tile,
//         and few warps hide the latency, so that a thread can own 8 x 8 outputs.
// Launch: 256 threads a block as 16 x 16; one block for each 128 x 128 tile of C, K in steps of 16.
//         A thread's outputs are 2 x 2 pieces of 4 x 4, 64 apart: a warp's reads touch all banks.
//         Where such tiles leave multiprocessors idle: 64 x 64, one piece a thread, K by 32.
// Tails:  loads outside A and B give 0, also the prefetch behind the last tile, which is not used;
//         a load that is not aligned or not whole takes its halves one by one.
//
// rung: 5
#include <cstdint>
#include <cuda_fp16.h>

constexpr int T = 4, TX = 16, TY = 16, THREADS = TX * TY;

struct alignas(16) Half8 {
    half at[8];
};

// The block tile in which a thread has PIECES_ x PIECES_ pieces of T x T outputs.
template <int PIECES_>
struct Shape {
    static constexpr int PIECES = PIECES_, BM = PIECES * TY * T, BN = PIECES * TX * T;
    static constexpr int BK = 32 / PIECES;
    static_assert(BM * BK == THREADS * 8 && BK * BN == THREADS * 8, "a thread: one Half8 of each");
};

template <class S>
struct Stage {
    alignas(16) float a[S::BK][S::BM + 4];  // [k][row]; rows stay multiples of 16 bytes
    alignas(16) float b[S::BK][S::BN];      // [k][col]
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

template <class S>
__global__ void __launch_bounds__(THREADS, 2)
    gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
    constexpr int PIECES = S::PIECES, BM = S::BM, BN = S::BN, BK = S::BK;
    __shared__ Stage<S> stages[2];
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // corner of this tile of C
    const int row1 = threadIdx.x / TX * T, col1 = threadIdx.x % TX * T;  // in it: first piece
    const int a_row = threadIdx.x % BM, a_k = threadIdx.x / BM * 8;      // what this thread fetches
    const int b_k = threadIdx.x / (BN / 8), b_col = threadIdx.x % (BN / 8) * 8;

    Half8 a_next, b_next;
    const auto fetch_tile = [&](int k0) {
        a_next = load8(A, row0 + a_row, k0 + a_k, M, K);
        b_next = load8(B, k0 + b_k, col0 + b_col, K, N);
    };
    const auto store_tile = [&](Stage<S>& stage) {
        for (int i = 0; i < 8; ++i) stage.a[a_k + i][a_row] = __half2float(a_next.at[i]);
        for (int i = 0; i < 8; ++i) stage.b[b_k][b_col + i] = __half2float(b_next.at[i]);
    };

    float sum[PIECES * T][PIECES * T] = {};
    int now = 0;
    fetch_tile(0);
    store_tile(stages[now]);
    __syncthreads();
    for (int k0 = 0; k0 < K; k0 += BK) {
        fetch_tile(k0 + BK);
        const Stage<S>& stage = stages[now];
#pragma unroll 4
        for (int k = 0; k < BK; ++k) {
            float a[PIECES * T], b[PIECES * T];
            for (int p = 0; p < PIECES; ++p) {
                const float4 a4 = *reinterpret_cast<const float4*>(&stage.a[k][row1 + p * TY * T]);
                const float4 b4 = *reinterpret_cast<const float4*>(&stage.b[k][col1 + p * TX * T]);
                a[p * T] = a4.x, a[p * T + 1] = a4.y, a[p * T + 2] = a4.z, a[p * T + 3] = a4.w;
                b[p * T] = b4.x, b[p * T + 1] = b4.y, b[p * T + 2] = b4.z, b[p * T + 3] = b4.w;
            }
            for (int i = 0; i < PIECES * T; ++i)
                for (int j = 0; j < PIECES * T; ++j) sum[i][j] += a[i] * b[j];
        }
        now ^= 1;
        store_tile(stages[now]);  // last read before the barrier of the turn before
        __syncthreads();
    }

    for (int i = 0; i < PIECES * T; ++i) {
        for (int j = 0; j < PIECES * T; ++j) {
            const int row = row0 + row1 + i / T * TY * T + i % T;
            const int col = col0 + col1 + j / T * TX * T + j % T;
            if (row >= M || col >= N) continue;
            half* c = C + size_t(row) * N + col;
            *c = __float2half(alpha * sum[i][j] + beta * __half2float(*c));
        }
    }
}

template <class S>
dim3 tiles(int M, int N) {
    return dim3((N + S::BN - 1) / S::BN, (M + S::BM - 1) / S::BM);
}

using Large = Shape<2>;
using Small = Shape<1>;

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const dim3 large = tiles<Large>(M, N), small = tiles<Small>(M, N);
    if (int(large.x * large.y) >= multiprocessors)
        gemm<Large><<<large, THREADS>>>(A, B, C, M, N, K, alpha, beta);
    else
        gemm<Small><<<small, THREADS>>>(A, B, C, M, N, K, alpha, beta);
}
