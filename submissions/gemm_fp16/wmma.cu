// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float. Needs sm_70.
//
// Idea:   tensor cores through nvcuda::wmma: a warp multiplies 16 x 16 x 16 fragments at a time.
// Launch: 256 threads a block, 8 warps as 2 x 4; one block for each 128 x 128 tile of C, K in steps
//         of 32. A warp owns 64 x 32 outputs, 4 x 2 fragments. Two stages, as double_buffered.cu.
// Tails:  fragments know no edges, so tiles are staged in shared memory with 0 outside A and B, and
//         finished fragments pass through shared memory on their way to alpha, beta and the guards.
//
// rung: 6
#include <cstdint>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 128, BN = 128, BK = 32;  // block tile
constexpr int WM = 64, WN = 32;             // warp tile
constexpr int F = 16;                       // a fragment is F x F x F
constexpr int WARPS = (BM / WM) * (BN / WN), THREADS = 32 * WARPS;

struct alignas(16) Half8 {
    half at[8];
};
constexpr int A_VECTORS = BM * BK / 8 / THREADS, B_VECTORS = BK * BN / 8 / THREADS;  // a thread

struct Stage {  // pitches of 8 more than the tile spread a column over the banks
    alignas(32) half a[BM][BK + 8];
    alignas(32) half b[BK][BN + 8];
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

__global__ void __launch_bounds__(THREADS, 2)
    gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
    __shared__ Stage stages[2];
    __shared__ __align__(32) float finished[WARPS][F][F];
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // corner of this tile of C
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row1 = warp / (BN / WN) * WM, col1 = warp % (BN / WN) * WN;  // in it: of this warp

    Half8 a_next[A_VECTORS], b_next[B_VECTORS];
    const auto fetch_tile = [&](int k0) {
        for (int i = 0; i < A_VECTORS; ++i) {
            const int v = i * THREADS + threadIdx.x;
            a_next[i] = load8(A, row0 + v / (BK / 8), k0 + v % (BK / 8) * 8, M, K);
        }
        for (int i = 0; i < B_VECTORS; ++i) {
            const int v = i * THREADS + threadIdx.x;
            b_next[i] = load8(B, k0 + v / (BN / 8), col0 + v % (BN / 8) * 8, K, N);
        }
    };
    const auto store_tile = [&](Stage& stage) {
        for (int i = 0; i < A_VECTORS; ++i) {
            const int v = i * THREADS + threadIdx.x;
            *reinterpret_cast<Half8*>(&stage.a[v / (BK / 8)][v % (BK / 8) * 8]) = a_next[i];
        }
        for (int i = 0; i < B_VECTORS; ++i) {
            const int v = i * THREADS + threadIdx.x;
            *reinterpret_cast<Half8*>(&stage.b[v / (BN / 8)][v % (BN / 8) * 8]) = b_next[i];
        }
    };

    wmma::fragment<wmma::accumulator, F, F, F, float> sum[WM / F][WN / F];
    for (int i = 0; i < WM / F; ++i)
        for (int j = 0; j < WN / F; ++j) wmma::fill_fragment(sum[i][j], 0.0f);

    int now = 0;
    fetch_tile(0);
    store_tile(stages[now]);
    __syncthreads();
    for (int k0 = 0; k0 < K; k0 += BK) {
        fetch_tile(k0 + BK);
        const Stage& stage = stages[now];
        for (int k = 0; k < BK; k += F) {
            wmma::fragment<wmma::matrix_a, F, F, F, half, wmma::row_major> a[WM / F];
            wmma::fragment<wmma::matrix_b, F, F, F, half, wmma::row_major> b[WN / F];
            for (int i = 0; i < WM / F; ++i)
                wmma::load_matrix_sync(a[i], &stage.a[row1 + i * F][k], BK + 8);
            for (int j = 0; j < WN / F; ++j)
                wmma::load_matrix_sync(b[j], &stage.b[k][col1 + j * F], BN + 8);
            for (int i = 0; i < WM / F; ++i)
                for (int j = 0; j < WN / F; ++j)
                    wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
        }
        now ^= 1;
        store_tile(stages[now]);  // last read before the barrier of the turn before
        __syncthreads();
    }

    for (int i = 0; i < WM / F; ++i) {
        for (int j = 0; j < WN / F; ++j) {
            wmma::store_matrix_sync(&finished[warp][0][0], sum[i][j], F, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < F * F; e += 32) {
                const int row = row0 + row1 + i * F + e / F, col = col0 + col1 + j * F + e % F;
                if (row >= M || col >= N) continue;
                half* c = C + size_t(row) * N + col;
                *c = __float2half(alpha * finished[warp][e / F][e % F] + beta * __half2float(*c));
            }
            __syncwarp();  // nobody reads the fragment any more
        }
    }
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
    gemm<<<grid, THREADS>>>(A, B, C, M, N, K, alpha, beta);
}
