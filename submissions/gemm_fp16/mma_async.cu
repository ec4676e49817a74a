// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float. Needs sm_80.
//
// Idea:   cp.async keeps STAGES tiles on their way to shared memory without registers, ldmatrix
//         reads them without bank conflicts (16-byte chunks swizzled by row), mma.sync multiplies.
// Launch: a block for each 256 x 128 tile of C, warps of 64 x 64 outputs; for each 128 x 128 where
//         those would be few, 128 x 64 where these would leave multiprocessors idle. Bands of GROUP
//         tile rows share the L2.
// Tails:  cp.async fills with 0 what lies outside. It wants rows that start at multiples of 16
//         bytes: a matrix whose rows do not is first copied to a pitch that is a multiple of 8.
//         C is written by 16 bytes where N is a multiple of 8, else one by one.
//
// rung: 7
#include <algorithm>
#include <cstdint>
#include <cuda_fp16.h>

#ifndef GROUP
#define GROUP 8
#endif

constexpr int BK = 64;

__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

struct alignas(16) Half8 {
    half at[8];
};

// A matrix whose rows start at multiples of 16 bytes: pitch, in elements, is a multiple of 8.
struct Matrix {
    const half* data;
    int rows, cols, pitch;
};

// The block and warp tiles of one kernel.
template <int BM_, int BN_, int WM_, int WN_, int STAGES_>
struct Shape {
    static constexpr int BM = BM_, BN = BN_, WM = WM_, WN = WN_, STAGES = STAGES_;
    static constexpr int WARPS = (BM / WM) * (BN / WN), THREADS = 32 * WARPS;
    static constexpr int A_BYTES = BM * BK * 2, B_BYTES = BK * BN * 2;
    static constexpr int SHARED_BYTES = STAGES * (A_BYTES + B_BYTES);
    static constexpr int PITCH = WN + 8;  // of the float tile a warp stages its results in
    static_assert(WARPS * 16 * PITCH * 4 <= SHARED_BYTES, "results pass through the stages");
};

// Where the 16-byte chunk of a row lies in a tile of COLS columns, in bytes: eight rows that are
// read together must touch all banks.
template <int COLS>
__device__ int chunk_offset(int row, int chunk) {
    static_assert(COLS % 64 == 0, "a row is 128 n bytes");
    return (row * (COLS / 8) + (chunk ^ row % 8)) * 16;
}

// Starts the copy of X[row0 .., col0 ..] to a ROWS x COLS tile in shared memory: a thread copies
// one chunk of every STEP-th row.
template <int ROWS, int COLS, int THREADS>
__device__ void start_copy(uint32_t tile, const Matrix& X, int row0, int col0) {
    constexpr int CHUNKS = COLS / 8, STEP = THREADS / CHUNKS;
    static_assert(THREADS % CHUNKS == 0 && STEP % 8 == 0 && ROWS % STEP == 0, "all do the same");
    const int r = threadIdx.x / CHUNKS, chunk = threadIdx.x % CHUNKS;
    const int row = row0 + r, col = col0 + chunk * 8;
    const int bytes = 2 * max(0, min(8, X.cols - col));  // inside of a row
    const half* from = X.data + size_t(row) * X.pitch + col;
    const uint32_t to = tile + chunk_offset<COLS>(r, chunk);
#pragma unroll
    for (int i = 0; i < ROWS; i += STEP) {
        const bool inside = row + i < X.rows && bytes > 0;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to + i * COLS * 2),
                     "l"(inside ? from + size_t(i) * X.pitch : X.data), "r"(inside ? bytes : 0));
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

// Writes 16 x COLS outputs at C[row, col] from a warp's staged sums; C is not read for beta 0.
template <int COLS, int PITCH>
__device__ void store_warp(half* C, int row, int col, int M, int N, const float* staged,
                           float alpha, float beta) {
    const int lane = threadIdx.x % 32;
    if (N % 8 == 0) {  // eight columns a lane
#pragma unroll
        for (int v = lane; v < 16 * COLS / 8; v += 32) {
            const int r = row + v / (COLS / 8), c = col + v % (COLS / 8) * 8;
            if (r >= M || c >= N) continue;
            const float* sum = staged + v / (COLS / 8) * PITCH + v % (COLS / 8) * 8;
            Half8* to = reinterpret_cast<Half8*>(C + size_t(r) * N + c);
            Half8 h = {};
            if (beta != 0.0f) h = *to;
            for (int i = 0; i < 8; ++i)
                h.at[i] = __float2half(alpha * sum[i] + beta * __half2float(h.at[i]));
            *to = h;
        }
    } else {  // one a lane: neighbours write neighbours
#pragma unroll 4
        for (int e = lane; e < 16 * COLS; e += 32) {
            const int r = row + e / COLS, c = col + e % COLS;
            if (r >= M || c >= N) continue;
            half* to = C + size_t(r) * N + c;
            const float old = beta != 0.0f ? beta * __half2float(*to) : 0.0f;
            *to = __float2half(alpha * staged[e / COLS * PITCH + e % COLS] + old);
        }
    }
}

template <class S>
__global__ void __launch_bounds__(S::THREADS)
    gemm(Matrix A, Matrix B, half* C, int M, int N, int K, float alpha, float beta) {
    extern __shared__ __align__(128) unsigned char shared[];
    const uint32_t stages = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    // Which tile: GROUP rows of tiles at a time, down each column of the band.
    const int tiles_m = ceil_div(M, S::BM), tiles_n = ceil_div(N, S::BN);
    const int band = blockIdx.x / (GROUP * tiles_n), in_band = blockIdx.x % (GROUP * tiles_n);
    const int band_rows = min(GROUP, tiles_m - band * GROUP);
    const int row0 = (band * GROUP + in_band % band_rows) * S::BM;
    const int col0 = in_band / band_rows * S::BN;
    const int row1 = warp / (S::BN / S::WN) * S::WM, col1 = warp % (S::BN / S::WN) * S::WN;

    const auto a_tile = [&](int t) { return stages + t % S::STAGES * (S::A_BYTES + S::B_BYTES); };
    const auto b_tile = [&](int t) { return a_tile(t) + S::A_BYTES; };
    const auto start_tile = [&](int t) {  // behind the last: zeros
        start_copy<S::BM, BK, S::THREADS>(a_tile(t), A, row0, t * BK);
        start_copy<BK, S::BN, S::THREADS>(b_tile(t), B, t * BK, col0);
        asm volatile("cp.async.commit_group;");
    };

    float sum[S::WM / 16][S::WN / 8][4] = {};
    for (int t = 0; t < S::STAGES - 1; ++t) start_tile(t);
    for (int t = 0; t < ceil_div(K, BK); ++t) {
        asm volatile("cp.async.wait_group %0;" ::"n"(S::STAGES - 2));
        __syncthreads();  // tile t is there for all, nobody reads tile t - 1 any more
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
            if (k == 0) start_tile(t + S::STAGES - 1);  // into the place of tile t - 1
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
        store_warp<S::WN, S::PITCH>(C, row0 + row1 + i * 16, col0 + col1, M, N, results, alpha,
                                    beta);
        __syncwarp();
    }
}

struct Copy {
    const half* from;
    Matrix to;  // or `from` itself: nothing to do
};

// Copies two matrices (blockIdx.y says which) to rows of `pitch`, 0 behind the last column; a warp
// a row, eight columns a lane.
__global__ void __launch_bounds__(256) copy_rows(const __grid_constant__ Copy a,
                                                 const __grid_constant__ Copy b) {
    const Copy& copy = blockIdx.y == 0 ? a : b;
    const Matrix& to = copy.to;
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (copy.from == to.data || row >= to.rows) return;
    const half* x = copy.from + size_t(row) * to.cols;
    Half8* y = reinterpret_cast<Half8*>(const_cast<half*>(to.data) + size_t(row) * to.pitch);
#pragma unroll 2
    for (int v = threadIdx.x; v < to.pitch / 8; v += 32) {
        Half8 h;
#pragma unroll
        for (int i = 0; i < 8; ++i)
            h.at[i] = v * 8 + i < to.cols ? __ldg(x + v * 8 + i) : __float2half(0.0f);
        y[v] = h;
    }
}

// Memory of the device that is kept from call to call.
struct Workspace {
    half* data = nullptr;
    size_t elements = 0;

    Matrix align(const half* X, int rows, int cols) {
        const int pitch = ceil_div(cols, 8) * 8;
        if (pitch == cols) return {X, rows, cols, pitch};
        if (size_t(rows) * pitch > elements) {
            cudaFree(data);
            elements = size_t(rows) * pitch;
            cudaMalloc(&data, elements * sizeof(half));
        }
        return {data, rows, cols, pitch};
    }
};

template <class S>
int tiles(int M, int N) {
    return ceil_div(M, S::BM) * ceil_div(N, S::BN);
}

template <class S>
void launch(const Matrix& A, const Matrix& B, half* C, float alpha, float beta) {
    const int M = A.rows, N = B.cols, K = A.cols;
    cudaFuncSetAttribute(gemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::SHARED_BYTES);
    gemm<S><<<tiles<S>(M, N), S::THREADS, S::SHARED_BYTES>>>(A, B, C, M, N, K, alpha, beta);
}

using Large = Shape<256, 128, 64, 64, 4>;   // reads least, for two waves and more
using Medium = Shape<128, 128, 64, 64, 3>;  // two blocks fit a multiprocessor
using Small = Shape<128, 64, 32, 32, 4>;

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static Workspace a_rows, b_rows;
    const Matrix a = a_rows.align(A, M, K), b = b_rows.align(B, K, N);
    if (a.data != A || b.data != B)
        copy_rows<<<dim3(ceil_div(std::max(M, K), 8), 2), dim3(32, 8)>>>({A, a}, {B, b});

    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    if (tiles<Large>(M, N) >= 2 * multiprocessors) launch<Large>(a, b, C, alpha, beta);
    else if (tiles<Medium>(M, N) >= multiprocessors) launch<Medium>(a, b, C, alpha, beta);
    else launch<Small>(a, b, C, alpha, beta);
}
