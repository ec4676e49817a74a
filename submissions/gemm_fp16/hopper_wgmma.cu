// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float. Needs sm_90a.
//
// Idea:   the tensor memory accelerator fills shared memory, wgmma multiplies straight from it, and
//         warpgroups have roles: one thread starts copies, two warpgroups multiply.
// Launch: persistent clusters of 2 blocks, 384 threads each. A cluster owns a 256 x BN tile of C,
//         a block 128 rows of it; both need the same part of B: each fetches half of it for both.
//         BN is 256, or 64 where large tiles would leave multiprocessors idle.
// Tails:  the accelerator fills with 0 what lies outside. It wants rows that start at multiples of
//         16 bytes: a matrix whose rows do not is first copied to a pitch that is a multiple of 8.
//         C is written by 16 bytes where N is a multiple of 8, else one by one.
#include <cstdint>
#include <cuda.h>
#include <cuda_fp16.h>

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#error "wgmma is a feature of sm_90a: compile with -arch=sm_90a"
#endif

#ifndef GROUP
#define GROUP 8
#endif

constexpr int BM = 128, BK = 64;             // of a block; 64 halves are the 128 bytes of a swizzle
constexpr int CLUSTER = 2, CONSUMERS = 2;    // blocks of a cluster, multiplying warpgroups
constexpr int THREADS = 128 * (1 + CONSUMERS);
constexpr int PITCH = 64 + 4;                // of the 16 x 64 floats a warp stages its results in

struct alignas(16) Half8 {
    half at[8];
};

template <int BN_, int STAGES_>
struct Shape {
    static constexpr int BN = BN_, STAGES = STAGES_;
    static constexpr int A_BYTES = BM * BK * 2, B_BYTES = BK * BN * 2;
    static constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
    static constexpr int RESULT_BYTES = CONSUMERS * 4 * 16 * PITCH * 4;
    static constexpr int SHARED_BYTES = STAGES * STAGE_BYTES + RESULT_BYTES + 2 * STAGES * 8;
    static_assert(SHARED_BYTES <= 227 * 1024, "a block has 227 KB");
};

// ---- barriers in shared memory, by 32-bit address

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
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;\n}" ::"r"(barrier),
        "r"(parity)
        : "memory");
}

// Arrives at the barrier that has this address in block `rank` of the cluster.
__device__ void arrive_at(uint32_t barrier, int rank) {
    asm volatile(
        "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" ::"r"(barrier),
        "r"(rank)
        : "memory");
}

__device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// ---- copies: the box of the map at (row, col) to this block, or to all blocks of the cluster

__device__ void copy_box(uint32_t to, const CUtensorMap& map, int row, int col, uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
        "l"(&map), "r"(col), "r"(row), "r"(barrier)
        : "memory");
}

__device__ void copy_box_to_all(uint32_t to, const CUtensorMap& map, int row, int col,
                                uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
        "l"(&map), "r"(col), "r"(row), "r"(barrier), "h"(uint16_t((1 << CLUSTER) - 1))
        : "memory");
}

// ---- wgmma

// Describes a swizzled tile: rows of 128 bytes, 8 of them a swizzle of 1024 bytes. `next` is the
// way from 64 columns of B to the next 64, in bytes; A, whose rows run along k, has no use for it.
__device__ uint64_t describe(uint32_t address, int next) {
    const uint64_t swizzle_128 = uint64_t(1) << 62;
    return swizzle_128 | uint64_t(1024 >> 4) << 32 | uint64_t(next >> 4) << 16 | address >> 4;
}

#define EIGHT(i)                                                                        \
    "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]), \
        "+f"(sum[i + 5]), "+f"(sum[i + 6]), "+f"(sum[i + 7])

// sum = a * b, or sum + a * b: 64 x 16 times 16 x BN, sum of a thread as the PTX manual draws it.
__device__ void multiply(float (&sum)[32], uint64_t a, uint64_t b, int add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
        "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, add, 1, 1, 0, 1;\n}"
        : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)
        : "l"(a), "l"(b), "r"(add));
}

__device__ void multiply(float (&sum)[128], uint64_t a, uint64_t b, int add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
        "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "
        "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, "
        "%60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, "
        "%72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, "
        "%84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "
        "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, "
        "%120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, add, 1, 1, 0, 1;\n}"
        : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56),
          EIGHT(64), EIGHT(72), EIGHT(80), EIGHT(88), EIGHT(96), EIGHT(104), EIGHT(112), EIGHT(120)
        : "l"(a), "l"(b), "r"(add));
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
__global__ void __cluster_dims__(CLUSTER) __launch_bounds__(THREADS, 1)
    gemm(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, half* C,
         int M, int N, int K, float alpha, float beta) {
    extern __shared__ __align__(1024) unsigned char shared[];
    const uint32_t stages = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    const uint32_t results = stages + S::STAGES * S::STAGE_BYTES;
    const uint32_t full = results + S::RESULT_BYTES, empty = full + S::STAGES * 8;
    const int warpgroup = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    const int rank = blockIdx.x % CLUSTER;

    if (threadIdx.x == 0) {
        for (int s = 0; s < S::STAGES; ++s) {
            init(full + s * 8, 1);                         // the thread that starts the copies
            init(empty + s * 8, CLUSTER * CONSUMERS * 4);  // a lane of each multiplying warp
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    sync_cluster();  // nobody sends to a barrier that is not there yet

    const int tiles_m = (M + CLUSTER * BM - 1) / (CLUSTER * BM), tiles_n = (N + S::BN - 1) / S::BN;
    const int tiles_k = (K + BK - 1) / BK;
    int row0 = 0, col0 = 0;  // C[row0, col0] = corner of this block's tile
    const auto locate = [&](int tile) {  // GROUP rows of tiles at a time, down each column
        const int band = tile / (GROUP * tiles_n), in_band = tile % (GROUP * tiles_n);
        const int band_rows = min(GROUP, tiles_m - band * GROUP);
        row0 = ((band * GROUP + in_band % band_rows) * CLUSTER + rank) * BM;
        col0 = in_band / band_rows * S::BN;
    };
    int stage = 0, turn = 0;  // turn: how often all stages have been used, modulo 2
    const auto advance = [&] {
        if (++stage == S::STAGES) stage = 0, turn ^= 1;
    };

    if (warpgroup == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) {
            for (int t = blockIdx.x / CLUSTER; t < tiles_m * tiles_n; t += gridDim.x / CLUSTER) {
                locate(t);
                for (int k = 0; k < tiles_k; ++k, advance()) {
                    wait(empty + stage * 8, turn ^ 1);
                    expect_bytes(full + stage * 8, S::STAGE_BYTES);
                    const uint32_t a = stages + stage * S::STAGE_BYTES, b = a + S::A_BYTES;
                    copy_box(a, A, row0, k * BK, full + stage * 8);
                    const int part = rank * BK / CLUSTER;  // this block's share of the rows of B
                    for (int n = 0; n < S::BN / 64; ++n)
                        copy_box_to_all(b + n * BK * 128 + part * 128, B, k * BK + part,
                                        col0 + n * 64, full + stage * 8);
                }
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        const int row1 = (warpgroup - 1) * 64;
        float* staged = reinterpret_cast<float*>(shared + S::STAGES * S::STAGE_BYTES) +
                        ((warpgroup - 1) * 4 + warp) * 16 * PITCH;
        const auto release = [&](int s) {
            if (lane < CLUSTER) arrive_at(empty + s * 8, lane);
        };
        for (int t = blockIdx.x / CLUSTER; t < tiles_m * tiles_n; t += gridDim.x / CLUSTER) {
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
                for (int v = lane; v < 16 * 8; v += 32)
                    store8(C, row0 + row1 + warp * 16 + v / 8, col0 + n + v % 8 * 8, M, N,
                           staged + v / 8 * PITCH + v % 8 * 8, alpha, beta);
                __syncwarp();
            }
        }
    }
    sync_cluster();  // a block stays until its partner sends nothing more to its barriers
}

// Copies rows of `cols` elements to rows of `pitch`; what lies between is never read.
__global__ void copy_rows(const half* __restrict__ X, half* __restrict__ Y, int cols, int pitch) {
    const half* x = X + size_t(blockIdx.x) * cols;
    half* y = Y + size_t(blockIdx.x) * pitch;
    for (int col = threadIdx.x; col < cols; col += blockDim.x) y[col] = x[col];
}

// A matrix as the accelerator sees it, in boxes of box_rows x 64: X itself, or a copy with rows
// that start at multiples of 16 bytes, in a workspace that is kept.
struct Workspace {
    half* data = nullptr;
    size_t elements = 0;

    CUtensorMap map(const half* X, int rows, int cols, int box_rows) {
        const int pitch = (cols + 7) / 8 * 8;
        if (pitch != cols) {
            if (size_t(rows) * pitch > elements) {
                cudaFree(data);
                elements = size_t(rows) * pitch;
                cudaMalloc(&data, elements * sizeof(half));
            }
            copy_rows<<<rows, 256>>>(X, data, cols, pitch);
            X = data;
        }
        static void* encode = nullptr;  // a function of the driver, found without linking to it
        if (encode == nullptr) {
            cudaDriverEntryPointQueryResult found;
            cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                             cudaEnableDefault, &found);
        }
        CUtensorMap map;
        const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)};
        const cuuint64_t pitch_bytes[] = {cuuint64_t(pitch) * sizeof(half)};
        const cuuint32_t box[] = {64, cuuint32_t(box_rows)}, step[] = {1, 1};
        reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
            &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, const_cast<half*>(X), size, pitch_bytes, box,
            step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
            CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        return map;
    }
};

template <class S>
int tiles(int M, int N) {
    return ((M + CLUSTER * BM - 1) / (CLUSTER * BM)) * ((N + S::BN - 1) / S::BN);
}

template <class S>
void launch(const CUtensorMap& A, const CUtensorMap& B, half* C, int M, int N, int K, float alpha,
            float beta, int clusters) {
    cudaFuncSetAttribute(gemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::SHARED_BYTES);
    const int blocks = CLUSTER * (tiles<S>(M, N) < clusters ? tiles<S>(M, N) : clusters);
    gemm<S><<<blocks, THREADS, S::SHARED_BYTES>>>(A, B, C, M, N, K, alpha, beta);
}

using Large = Shape<256, 4>;
using Small = Shape<64, 6>;

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static Workspace a_rows, b_rows;
    const CUtensorMap a = a_rows.map(A, M, K, BM), b = b_rows.map(B, K, N, BK / CLUSTER);
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int clusters = multiprocessors / CLUSTER;
    const bool fills = 4 * tiles<Large>(M, N) >= 3 * clusters;
    (fills ? launch<Large> : launch<Small>)(a, b, C, M, N, K, alpha, beta, clusters);
}
