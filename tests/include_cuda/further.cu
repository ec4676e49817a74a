// The smaller headers: parts of words, complex numbers, scans and copies of groups, launches by a config.
#include "claims.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__device__ void parts_of_words(float* claims, int& next)
{
    const unsigned a = 0x7F80FF01u, b = 0x01FF0180u;
    claim(claims, next, __vadd4(a, b) == 0x807F0081u);
    claim(claims, next, __vsub4(a, b) == 0x7E81FE81u);
    claim(claims, next, __vaddss4(a, b) == 0x7F800081u);
    claim(claims, next, __vaddus4(a, b) == 0x80FFFF81u);
    claim(claims, next, __vsubus4(a, b) == 0x7E00FE00u);
    claim(claims, next, __vsubss4(a, b) == 0x7E81FE7Fu);
    claim(claims, next, __vabsdiffu4(a, b) == 0x7E7FFE7Fu);
    claim(claims, next, __vabsdiffs4(a, b) == 0x7E7F0281u);
    claim(claims, next, __vavgu4(a, b) == 0x40C08041u);
    claim(claims, next, __vavgs4(0x02FDFF01u, 0x01FEFE80u) == 0x02FDFEC0u);
    claim(claims, next, __vhaddu4(a, b) == 0x40BF8040u);
    claim(claims, next, __vmaxs4(a, b) == 0x7FFF0101u);
    claim(claims, next, __vmaxu4(a, b) == 0x7FFFFF80u);
    claim(claims, next, __vmins4(a, b) == 0x0180FF80u);
    claim(claims, next, __vminu4(a, b) == 0x01800101u);
    claim(claims, next, __vcmpgts4(a, b) == 0xFF0000FFu);
    claim(claims, next, __vcmpgtu4(a, b) == 0xFF00FF00u);
    claim(claims, next, __vcmpeq4(a, 0x7F00FF00u) == 0xFF00FF00u);
    claim(claims, next, __vsetlts4(a, b) == 0x00010100u);
    claim(claims, next, __vsetne2(0x00010002u, 0x00010003u) == 1u);
    claim(claims, next, __vabs4(a) == 0x7F800101u);
    claim(claims, next, __vabsss4(a) == 0x7F7F0101u);
    claim(claims, next, __vneg4(a) == 0x818001FFu);
    claim(claims, next, __vsadu4(a, b) == 0x7Eu + 0x7Fu + 0xFEu + 0x7Fu);
    claim(claims, next, __vadd2(0x7FFF8000u, 0x0001FFFFu) == 0x80007FFFu);
    claim(claims, next, __vaddss2(0x7FFF8000u, 0x0001FFFFu) == 0x7FFF8000u);
    claim(claims, next, __vmaxs2(0x7FFF8000u, 0x0001FFFFu) == 0x7FFFFFFFu);
    claim(claims, next, __vsads2(0x00058000u, 0xFFFF8001u) == 7u);
}

__device__ void complex_numbers(float* claims, int& next)
{
    const cuFloatComplex x = make_cuFloatComplex(3, 4), y = make_cuFloatComplex(1, -2);
    const cuFloatComplex product = cuCmulf(x, y), sum = cuCaddf(x, cuConjf(y));
    claim(claims, next, cuCrealf(product) == 11 && cuCimagf(product) == -2);
    claim(claims, next, sum.x == 4 && sum.y == 6 && cuCabsf(x) == 5);
    const cuDoubleComplex quotient = cuCdiv(make_cuDoubleComplex(11, -2), make_cuDoubleComplex(1, -2));
    claim(claims, next, fabs(quotient.x - 3) < 1e-14 && fabs(quotient.y - 4) < 1e-14);
    const cuFloatComplex fused = cuCfmaf(x, y, make_cuFloatComplex(1, 1));
    claim(claims, next, fused.x == 12 && fused.y == -1);
}

__device__ void groups(float* claims, int& next, const float* memory)
{
    const int lane = threadIdx.x;
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int rank = tile.thread_rank();
    claim(claims, next, cg::inclusive_scan(tile, lane) == (rank + 1) * (lane - rank) + rank * (rank + 1) / 2);
    claim(claims, next, cg::exclusive_scan(tile, 2) == 2 * rank);
    claim(claims, next, cg::inclusive_scan(tile, lane, cg::greater<int>()) == lane);

    __shared__ __align__(16) float copied[64], pieces[32];
    cg::memcpy_async(cg::this_thread_block(), copied, memory, 63 * sizeof(float));
    cg::wait(cg::this_thread_block());
    claim(claims, next, copied[2 * lane] == 2 * lane && (lane == 31 || copied[2 * lane + 1] == 2 * lane + 1));
    __pipeline_memcpy_async(pieces + lane, memory + 31 - lane, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    claim(claims, next, pieces[lane ^ 1] == 31 - (lane ^ 1));
}

__global__ void fill(float* memory) { memory[threadIdx.x] = threadIdx.x; }

__global__ void kernel(float* claims, const float* memory, double doubled)
{
    cudaGridDependencySynchronize();
    int next = 0;
    parts_of_words(claims, next);
    complex_numbers(claims, next);
    groups(claims, next, memory);
    claim(claims, next, doubled == 3.0);
}

extern "C" void solve(float* claims)
{
    float* memory;
    cudaMallocManaged(&memory, 256);
    cudaMemAdvise(memory, 256, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeDevice, 0}); // CUDA 13's form
    cudaMemPrefetchAsync(memory, 256, {cudaMemLocationTypeDevice, 0}, 0);
    fill<<<1, 64>>>(memory);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    cudaLaunchKernelEx(&config, kernel, claims, memory, 3.0f);
    cudaDeviceSynchronize();
    cudaFree(memory);
}
