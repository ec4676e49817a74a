// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float. Needs sm_90a.
//
// Idea:   the tensor memory accelerator fills shared memory, wgmma multiplies straight from it, and
//         warpgroups have roles: one thread starts copies, two warpgroups multiply. The blocks of a
//         cluster fetch what they share once, each a part of it for all: the L2 is the bottleneck.
// Launch: persistent clusters of CM x CN blocks, 384 threads each; a block owns a 128 x BN tile of
//         C. Of three shapes the one whose waves of tiles cost least.
// Tails:  the accelerator fills with 0 what lies outside. It wants rows that start at multiples of
//         16 bytes: a matrix whose rows do not is first copied to a pitch that is a multiple of 8.
//         C is written by 16 bytes where N is a multiple of 8, else one by one.
//
// rung: 8
#include <algorithm>
#include <cstdint>
#include <cuda.h>
#include <cuda_fp16.h>

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#error "wgmma is a feature of sm_90a: compile with -arch=sm_90a"
#endif

#ifndef GROUP
#define GROUP 8
#endif

constexpr int BM = 128, BK = 64;  // of a block; 64 halves are the 128 bytes of a swizzle
constexpr int CONSUMERS = 2;      // multiplying warpgroups
constexpr int THREADS = 128 * (1 + CONSUMERS);
constexpr int PITCH = 64 + 4;     // of the 16 x 64 floats a warp stages its results in

__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

struct alignas(16) Half8 {
    half at[8];
};

// The tile and cluster of one kernel. COST: of a tile, in units that compare shapes.
template <int BN_, int CM_, int CN_, int COST_>
struct Shape {
    static constexpr int BN = BN_, CM = CM_, CN = CN_, CLUSTER = CM * CN, COST = COST_;
    static constexpr int A_BYTES = BM * BK * 2, B_BYTES = BK * BN * 2;
    static constexpr int STAGE_BYTES = A_BYTES + B_BYTES, STAGES = 192 * 1024 / STAGE_BYTES;
    static constexpr int RESULT_BYTES = CONSUMERS * 4 * 16 * PITCH * 4;
    static constexpr int SHARED_BYTES = STAGES * STAGE_BYTES + RESULT_BYTES + 2 * STAGES * 8;
    static_assert(SHARED_BYTES <= 227 * 1024, "a block has 227 KB");
};

// ---- barriers in shared memory, by 32-bit address
// They order copies and wgmma alone, so they need not be wider than the block: with the scope of a
// cluster, each arrival would wait for a fence of the device and each wait empty the L1.

__device__ void init(uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

__device__ void expect_bytes(uint32_t barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                 "r"(bytes)
                 : "memory");
}

__device__ void wait(uint32_t barrier, int parity) {
    asm volatile(
        "{\n.reg .pred done;\nagain:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;\n}" ::"r"(barrier),
        "r"(parity)
        : "memory");
}

// Arrives at the barrier that has this address in block `rank` of the cluster.
__device__ void arrive_at(uint32_t barrier, int rank) {
    asm volatile(
        "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(barrier),
        "r"(rank)
        : "memory");
}

// ---- copies: the box of the map at (row, col) to the blocks of the cluster in `mask`

template <int BLOCKS>
__device__ void copy_box(uint32_t to, const CUtensorMap& map, int row, int col, uint32_t barrier,
                         int mask) {
    if constexpr (BLOCKS == 1)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
            "l"(&map), "r"(col), "r"(row), "r"(barrier)
            : "memory");
    else  // to the same place in each, and each block's barrier hears of its own bytes
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
            ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
            "l"(&map), "r"(col), "r"(row), "r"(barrier), "h"(uint16_t(mask))
            : "memory");
}

// ---- wgmma

// Describes a swizzled tile: rows of 128 bytes, 8 of them a swizzle of 1024 bytes. `next` is the
// way from 64 columns of B to the next 64, in bytes; A, whose rows run along k, has no use for it.
// Of the address 18 bits count: above them a cluster's blocks have their rank, and it must not get
// into `next`.
__device__ uint64_t describe(uint32_t address, int next) {
    const uint64_t swizzle_128 = uint64_t(1) << 62;
    return swizzle_128 | uint64_t(1024 >> 4) << 32 | uint64_t(next >> 4) << 16 |
           (address & 0x3ffff) >> 4;
}

#define EIGHT(i)                                                                        \
    "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]), \
        "+f"(sum[i + 5]), "+f"(sum[i + 6]), "+f"(sum[i + 7])

// sum = a * b, or sum + a * b: 64 x 16 times 16 x BN, sum of a thread as the PTX manual draws it.
__device__ void multiply(float (&sum)[32], uint64_t a, uint64_t b, int add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, add, 1, 1, 0, 1;\n}"
        : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)
        : "l"(a), "l"(b), "r"(add));
}

__device__ void multiply(float (&sum)[64], uint64_t a, uint64_t b, int add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
        "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, add, 1, 1, 0, 1;\n}"
        : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)
        : "l"(a), "l"(b), "r"(add));
}

__device__ void multiply(float (&sum)[128], uint64_t a, uint64_t b, int add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
        "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, "
        "%68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "
        "%92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, "
        "%104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, "
        "%116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, add, 1, 1, 0, 1;\n}"
        : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56),
          EIGHT(64), EIGHT(72), EIGHT(80), EIGHT(88), EIGHT(96), EIGHT(104), EIGHT(112), EIGHT(120)
        : "l"(a), "l"(b), "r"(add));
}

// Writes 16 x 64 outputs at C[row, col] from a warp's staged sums; C is not read for beta 0.
__device__ void store_warp(half* C, int row, int col, int M, int N, const float* staged,
                           float alpha, float beta) {
    const int lane = threadIdx.x % 32;
    if (N % 8 == 0) {  // eight columns a lane
#pragma unroll
        for (int v = lane; v < 16 * 8; v += 32) {
            const int r = row + v / 8, c = col + v % 8 * 8;
            if (r >= M || c >= N) continue;
            const float* sum = staged + v / 8 * PITCH + v % 8 * 8;
            Half8* to = reinterpret_cast<Half8*>(C + size_t(r) * N + c);
            Half8 h = {};
            if (beta != 0.0f) h = *to;
            for (int i = 0; i < 8; ++i)
                h.at[i] = __float2half(alpha * sum[i] + beta * __half2float(h.at[i]));
            *to = h;
        }
    } else {  // one a lane: neighbours write neighbours
#pragma unroll 4
        for (int e = lane; e < 16 * 64; e += 32) {
            const int r = row + e / 64, c = col + e % 64;
            if (r >= M || c >= N) continue;
            half* to = C + size_t(r) * N + c;
            const float old = beta != 0.0f ? beta * __half2float(*to) : 0.0f;
            *to = __float2half(alpha * staged[e / 64 * PITCH + e % 64] + old);
        }
    }
}

template <class S>
__global__ void __cluster_dims__(S::CLUSTER) __launch_bounds__(THREADS, 1)
    gemm(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, half* C,
         int M, int N, int K, float alpha, float beta) {
    extern __shared__ __align__(1024) unsigned char shared[];
    const uint32_t stages = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    const uint32_t results = stages + S::STAGES * S::STAGE_BYTES;
    const uint32_t full = results + S::RESULT_BYTES, empty = full + S::STAGES * 8;
    const int warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0);  // known to be one in a warp
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    const int rank = blockIdx.x % S::CLUSTER, rank_m = rank / S::CN, rank_n = rank % S::CN;

    if (threadIdx.x == 0) {
        for (int s = 0; s < S::STAGES; ++s) {
            init(full + s * 8, 1);                            // the thread that starts the copies
            init(empty + s * 8, S::CLUSTER * CONSUMERS * 4);  // a lane of each multiplying warp
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    // Nobody sends to a barrier that is not there yet.
    asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");

    const int tiles_m = ceil_div(M, S::CM * BM);  // of a cluster
    const int tiles_n = ceil_div(N, S::CN * S::BN);
    const int tiles_k = ceil_div(K, BK);
    int row0 = 0, col0 = 0;  // C[row0, col0] = corner of this block's tile
    const auto locate = [&](int tile) {  // GROUP rows of tiles at a time, down each column
        const int band = tile / (GROUP * tiles_n), in_band = tile % (GROUP * tiles_n);
        const int band_rows = min(GROUP, tiles_m - band * GROUP);
        row0 = ((band * GROUP + in_band % band_rows) * S::CM + rank_m) * BM;
        col0 = (in_band / band_rows * S::CN + rank_n) * S::BN;
    };
    const int first = blockIdx.x / S::CLUSTER, clusters = gridDim.x / S::CLUSTER;
    int stage = 0, turn = 0;  // turn: how often all stages have been used, modulo 2
    const auto advance = [&] {
        if (++stage == S::STAGES) stage = 0, turn ^= 1;
    };

    if (warpgroup == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) {
            // A is shared by the CN blocks of this row of the cluster, B by the CM of this column.
            constexpr int A_PART = BM / S::CN, B_PART = BK / S::CM;  // rows this block fetches
            const int a_mask = ((1 << S::CN) - 1) << rank_m * S::CN;
            int b_mask = 0;
            for (int m = 0; m < S::CM; ++m) b_mask |= 1 << (m * S::CN + rank_n);
            for (int t = first; t < tiles_m * tiles_n; t += clusters) {
                locate(t);
                for (int k = 0; k < tiles_k; ++k, advance()) {
                    wait(empty + stage * 8, turn ^ 1);
                    expect_bytes(full + stage * 8, S::STAGE_BYTES);
                    const uint32_t a = stages + stage * S::STAGE_BYTES, b = a + S::A_BYTES;
                    copy_box<S::CN>(a + rank_n * A_PART * 128, A, row0 + rank_n * A_PART, k * BK,
                                    full + stage * 8, a_mask);
                    for (int n = 0; n < S::BN / 64; ++n)
                        copy_box<S::CM>(b + (n * BK + rank_m * B_PART) * 128, B,
                                        k * BK + rank_m * B_PART, col0 + n * 64,
                                        full + stage * 8, b_mask);
                }
            }
            // The block stays until the others have sent the last of their arrivals.
            for (int s = 0; s < S::STAGES; ++s, advance()) wait(empty + stage * 8, turn ^ 1);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        const int row1 = (warpgroup - 1) * 64;
        float* staged = reinterpret_cast<float*>(shared + S::STAGES * S::STAGE_BYTES) +
                        ((warpgroup - 1) * 4 + warp) * 16 * PITCH;
        const auto release = [&](int s) {
            if (lane < S::CLUSTER) arrive_at(empty + s * 8, lane);
        };
        for (int t = first; t < tiles_m * tiles_n; t += clusters) {
            locate(t);
            float sum[S::BN / 2];
            int before = 0;
            for (int k = 0; k < tiles_k; ++k, advance()) {
                wait(full + stage * 8, turn);
                const uint32_t a = stages + stage * S::STAGE_BYTES + row1 * 128;
                const uint32_t b = stages + stage * S::STAGE_BYTES + S::A_BYTES;
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int i = 0; i < BK / 16; ++i)
                    multiply(sum, describe(a + i * 32, 16), describe(b + i * 16 * 128, BK * 128),
                             k > 0 || i > 0);
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
                if (k > 0) release(before);  // its products are done, those of `stage` not
                before = stage;
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            release(before);

#pragma unroll
            for (int n = 0; n < S::BN; n += 64) {
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    const float* s = sum + n / 2 + j * 4;
                    float* upper = staged + lane / 4 * PITCH + j * 8 + lane % 4 * 2;
                    *reinterpret_cast<float2*>(upper) = make_float2(s[0], s[1]);
                    *reinterpret_cast<float2*>(upper + 8 * PITCH) = make_float2(s[2], s[3]);
                }
                __syncwarp();
                store_warp(C, row0 + row1 + warp * 16, col0 + n, M, N, staged, alpha, beta);
                __syncwarp();
            }
        }
    }
}

// A matrix whose rows start at multiples of 16 bytes: pitch, in elements, is a multiple of 8.
struct Matrix {
    const half* data;
    int rows, cols, pitch;
};

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

CUtensorMap map(const Matrix& X, int box_rows) {  // in boxes of box_rows x 64
    static void* encode = nullptr;  // a function of the driver, found without linking to it
    if (encode == nullptr) {
        cudaDriverEntryPointQueryResult found;
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                         cudaEnableDefault, &found);
    }
    CUtensorMap map;
    const cuuint64_t size[] = {cuuint64_t(X.cols), cuuint64_t(X.rows)};
    const cuuint64_t pitch_bytes[] = {X.pitch * sizeof(half)};
    const cuuint32_t box[] = {64, cuuint32_t(box_rows)}, step[] = {1, 1};
    reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, const_cast<half*>(X.data), size, pitch_bytes, box,
        step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

// How many clusters of this shape the device holds at once; found once.
template <class S>
int clusters_at_once() {
    static int clusters = 0;
    if (clusters == 0) {
        cudaFuncSetAttribute(gemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::SHARED_BYTES);
        cudaLaunchConfig_t config = {};
        config.gridDim = S::CLUSTER;
        config.blockDim = THREADS;
        config.dynamicSmemBytes = S::SHARED_BYTES;
        cudaOccupancyMaxActiveClusters(&clusters, gemm<S>, &config);
    }
    return clusters;
}

template <class S>
int tiles(int M, int N) {  // of a cluster
    return ceil_div(M, S::CM * BM) * ceil_div(N, S::CN * S::BN);
}

template <class S>
int cost(int M, int N) {
    return ceil_div(tiles<S>(M, N), clusters_at_once<S>()) * S::COST;
}

template <class S>
void launch(const Matrix& A, const Matrix& B, half* C, float alpha, float beta) {
    const int M = A.rows, N = B.cols, K = A.cols;
    const int clusters = std::min(tiles<S>(M, N), clusters_at_once<S>());
    gemm<S><<<clusters * S::CLUSTER, THREADS, S::SHARED_BYTES>>>(
        map(A, BM / S::CN), map(B, BK / S::CM), C, M, N, K, alpha, beta);
}

// Costs: an H200's 66 clusters take 1:1:1 waves at 1024, 1:2:4 at 2048, 5:8:16 at 4095 x 4097, and
// Small is fastest at the first, Large at the others, Medium where Small needs a second wave.
using Large = Shape<256, 2, 1, 100>;
using Medium = Shape<128, 2, 1, 65>;
using Small = Shape<64, 2, 1, 45>;

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static Workspace a_rows, b_rows;
    const Matrix a = a_rows.align(A, M, K), b = b_rows.align(B, K, N);
    if (a.data != A || b.data != B)
        copy_rows<<<dim3(ceil_div(std::max(M, K), 8), 2), dim3(32, 8)>>>({A, a}, {B, b});

    const int large = cost<Large>(M, N), medium = cost<Medium>(M, N), small = cost<Small>(M, N);
    if (large <= medium && large <= small) launch<Large>(a, b, C, alpha, beta);
    else if (medium <= small) launch<Medium>(a, b, C, alpha, beta);
    else launch<Small>(a, b, C, alpha, beta);
}
