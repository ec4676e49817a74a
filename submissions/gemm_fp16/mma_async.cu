// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float. Needs sm_80.
//
// Idea:   cp.async keeps STAGES tiles on their way to shared memory without registers, ldmatrix
//         reads them without bank conflicts (16-byte chunks swizzled by row), mma.sync multiplies.
// Launch: a block for each 128 x 128 tile of C, 4 warps of 64 x 64 outputs; 64 x 64 tiles where the
//         large ones would leave multiprocessors idle. Bands of GROUP tile rows share the L2.
// Tails:  cp.async fills with 0 what lies outside. It wants rows that start at multiples of 16
//         bytes: a matrix whose rows do not is first copied to a pitch that is a multiple of 8.
//         C is written by 16 bytes where N is a multiple of 8, else one by one.
#include <cstdint>
#include <cuda_fp16.h>

#ifndef STAGES
#define STAGES 4
#endif
#ifndef BLOCK_K
#define BLOCK_K 32
#endif
#ifndef BLOCK_N
#define BLOCK_N 128
#endif
#ifndef GROUP
#define GROUP 8
#endif

constexpr int BK = BLOCK_K;

struct alignas(16) Half8 {
    half at[8];
};

struct Matrix {
    const half* data;  // 16-byte aligned
    int rows, cols;
    int pitch;  // elements from row to row, a multiple of 8
};

// The block and warp tiles of one kernel.
template <int BM_, int BN_, int WM_, int WN_>
struct Shape {
    static constexpr int BM = BM_, BN = BN_, WM = WM_, WN = WN_;
    static constexpr int WARPS = (BM / WM) * (BN / WN), THREADS = 32 * WARPS;
    static constexpr int A_BYTES = BM * BK * 2, B_BYTES = BK * BN * 2;
    static constexpr int SHARED_BYTES = STAGES * (A_BYTES + B_BYTES);
    static constexpr int PITCH = WN + 8;  // of the float tile a warp stages its results in
    static_assert(WARPS * 16 * PITCH * 4 <= SHARED_BYTES, "results pass through the stages");
};

// Where the chunk `col / 8` of a row lies in a tile of COLS columns, in bytes: eight rows that are
// read together must touch all banks.
template <int COLS>
__device__ int chunk_offset(int row, int chunk) {
    constexpr int CHUNKS = COLS / 8;
    static_assert(CHUNKS == 4 || CHUNKS % 8 == 0, "a row is 64 or 128 n bytes");
    const int swizzled = CHUNKS == 4 ? chunk ^ (row / 2 % 4) : chunk ^ (row % 8);
    return (row * CHUNKS + swizzled) * 16;
}

// Starts the copy of X[row0 .., col0 ..] to a ROWS x COLS tile in shared memory.
template <int ROWS, int COLS, int THREADS>
__device__ void start_copy(uint32_t tile, const Matrix& X, int row0, int col0) {
#pragma unroll
    for (int v = threadIdx.x; v < ROWS * COLS / 8; v += THREADS) {
        const int r = v / (COLS / 8), chunk = v % (COLS / 8);
        const int row = row0 + r, col = col0 + chunk * 8;
        const int inside = row < X.rows ? max(0, min(8, X.cols - col)) : 0;
        const half* from = inside > 0 ? X.data + size_t(row) * X.pitch + col : X.data;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                         tile + chunk_offset<COLS>(r, chunk)),
                     "l"(from), "r"(inside * 2));
    }
}

__device__ void load_a(uint32_t (&a)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(address));
}

__device__ void load_b(uint32_t (&b)[2][2], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(b[0][0]), "=r"(b[0][1]), "=r"(b[1][0]), "=r"(b[1][1])
                 : "r"(address));
}

__device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// C[row, col .. col + 7] = alpha * sum + beta * C, as far as inside; C is not read for beta 0.
__device__ void store8(half* C, int row, int col, int M, int N, const float* sum, float alpha,
                       float beta) {
    if (row >= M || col >= N) return;
    half* c = C + size_t(row) * N + col;
    if (N % 8 == 0) {
        Half8 v = {};
        if (beta != 0.0f) v = *reinterpret_cast<const Half8*>(c);
        for (int i = 0; i < 8; ++i)
            v.at[i] = __float2half(alpha * sum[i] + beta * __half2float(v.at[i]));
        *reinterpret_cast<Half8*>(c) = v;
    } else {
        for (int i = 0; i < 8 && col + i < N; ++i)
            c[i] = __float2half(alpha * sum[i] + (beta != 0.0f ? beta * __half2float(c[i]) : 0.0f));
    }
}

template <class S>
__global__ void __launch_bounds__(S::THREADS)
    gemm(Matrix A, Matrix B, half* C, int M, int N, int K, float alpha, float beta) {
    extern __shared__ __align__(128) unsigned char shared[];
    const uint32_t stages = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    // Which tile: GROUP rows of tiles at a time, down each column of the band.
    const int tiles_m = (M + S::BM - 1) / S::BM, tiles_n = (N + S::BN - 1) / S::BN;
    const int band = blockIdx.x / (GROUP * tiles_n), in_band = blockIdx.x % (GROUP * tiles_n);
    const int band_rows = min(GROUP, tiles_m - band * GROUP);
    const int row0 = (band * GROUP + in_band % band_rows) * S::BM;
    const int col0 = in_band / band_rows * S::BN;
    const int row1 = warp / (S::BN / S::WN) * S::WM, col1 = warp % (S::BN / S::WN) * S::WN;

    const auto a_tile = [&](int t) { return stages + t % STAGES * (S::A_BYTES + S::B_BYTES); };
    const auto b_tile = [&](int t) { return a_tile(t) + S::A_BYTES; };
    const int tiles_k = (K + BK - 1) / BK;
    const auto start_tile = [&](int t) {
        if (t < tiles_k) {
            start_copy<S::BM, BK, S::THREADS>(a_tile(t), A, row0, t * BK);
            start_copy<BK, S::BN, S::THREADS>(b_tile(t), B, t * BK, col0);
        }
        asm volatile("cp.async.commit_group;");  // one group a turn, empty behind the last tile
    };

    float sum[S::WM / 16][S::WN / 8][4] = {};
    for (int t = 0; t < STAGES - 1; ++t) start_tile(t);
    for (int t = 0; t < tiles_k; ++t) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();             // tile t is there for all, nobody reads tile t - 1 any more
        start_tile(t + STAGES - 1);  // into the place of tile t - 1
#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            uint32_t a[S::WM / 16][4], b[S::WN / 16][2][2];
            const int r = lane % 16, chunk = lane / 16;
#pragma unroll
            for (int i = 0; i < S::WM / 16; ++i)
                load_a(a[i], a_tile(t) + chunk_offset<BK>(row1 + i * 16 + r, k / 8 + chunk));
#pragma unroll
            for (int j = 0; j < S::WN / 16; ++j)
                load_b(b[j], b_tile(t) + chunk_offset<S::BN>(k + r, col1 / 8 + j * 2 + chunk));
#pragma unroll
            for (int i = 0; i < S::WM / 16; ++i)
#pragma unroll
                for (int j = 0; j < S::WN / 8; ++j) multiply(sum[i][j], a[i], b[j / 2][j % 2]);
        }
    }
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();  // the stages are free

    float* results = reinterpret_cast<float*>(shared) + warp * 16 * S::PITCH;  // 16 rows of a warp
#pragma unroll
    for (int i = 0; i < S::WM / 16; ++i) {
#pragma unroll
        for (int j = 0; j < S::WN / 8; ++j) {
            const float(&s)[4] = sum[i][j];
            float* upper = results + lane / 4 * S::PITCH + j * 8 + lane % 4 * 2;
            *reinterpret_cast<float2*>(upper) = make_float2(s[0], s[1]);
            *reinterpret_cast<float2*>(upper + 8 * S::PITCH) = make_float2(s[2], s[3]);
        }
        __syncwarp();
        for (int v = lane; v < 16 * S::WN / 8; v += 32) {
            const int r = v / (S::WN / 8), c = v % (S::WN / 8) * 8;
            store8(C, row0 + row1 + i * 16 + r, col0 + col1 + c, M, N, results + r * S::PITCH + c,
                   alpha, beta);
        }
        __syncwarp();
    }
}

// Copies rows of `cols` elements to rows of `pitch`; what lies between is never read.
__global__ void copy_rows(const half* __restrict__ X, half* __restrict__ Y, int cols, int pitch) {
    const half* x = X + size_t(blockIdx.x) * cols;
    half* y = Y + size_t(blockIdx.x) * pitch;
    for (int col = threadIdx.x; col < cols; col += blockDim.x) y[col] = x[col];
}

// X with rows that start at multiples of 16 bytes: itself, or a copy in a workspace that is kept.
struct Workspace {
    half* data = nullptr;
    size_t elements = 0;

    Matrix align(const half* X, int rows, int cols) {
        if (cols % 8 == 0) return {X, rows, cols, cols};
        const int pitch = (cols + 7) / 8 * 8;
        if (size_t(rows) * pitch > elements) {
            cudaFree(data);
            elements = size_t(rows) * pitch;
            cudaMalloc(&data, elements * sizeof(half));
        }
        copy_rows<<<rows, 256>>>(X, data, cols, pitch);
        return {data, rows, cols, pitch};
    }
};

template <class S>
int tiles(int M, int N) {
    return ((M + S::BM - 1) / S::BM) * ((N + S::BN - 1) / S::BN);
}

template <class S>
void launch(Matrix A, Matrix B, half* C, int M, int N, int K, float alpha, float beta) {
    cudaFuncSetAttribute(gemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::SHARED_BYTES);
    gemm<S><<<tiles<S>(M, N), S::THREADS, S::SHARED_BYTES>>>(A, B, C, M, N, K, alpha, beta);
}

using Large = Shape<128, BLOCK_N, 64, 64>;
using Small = Shape<64, 64, 32, 32>;

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static Workspace a_rows, b_rows;
    const Matrix a = a_rows.align(A, M, K), b = b_rows.align(B, K, N);
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const bool fills = tiles<Large>(M, N) >= multiprocessors;
    (fills ? launch<Large> : launch<Small>)(a, b, C, M, N, K, alpha, beta);
}
