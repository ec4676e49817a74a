// cooperative_groups: ranks, shuffles, votes, reductions, and a barrier over the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ float partial[8];

template <int size> __device__ float tile_sum(float value)
{
    auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    for (int step = tile.size() / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
    return tile.shfl(value, 0);
}

__global__ void tiles(float* out)
{
    cg::thread_block block = cg::this_thread_block();
    const int i = block.thread_rank();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    out[i] = tile_sum<8>((float)i);
    out[64 + i] = cg::reduce(tile, i, cg::plus<int>());
    out[128 + i] = cg::reduce(tile, i, cg::greater<int>());
    out[192 + i] = tile.ballot(i % 2) + 1000.0f * tile.meta_group_rank() + 1e5f * tile.any(i == 3);
    out[256 + i] = tile.shfl_xor(i, 1) + 100.0f * tile.shfl_up(i, 2);
    if (i % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        out[320 + i] = active.thread_rank() + 100.0f * active.size();
        active.sync();
    }
    block.sync();
}

__global__ void whole_grid(float* out)
{
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) partial[blockIdx.x] = blockIdx.x + 1.0f;
    grid.sync();
    float sum = 0;
    for (int i = 0; i < 8; i++) sum += partial[i];
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" void solve(float* out)
{
    tiles<<<1, 64>>>(out);
    float* grid_out = out + 384;
    void* arguments[] = {&grid_out};
    cudaError_t error = cudaLaunchCooperativeKernel(whole_grid, dim3(8), dim3(32), arguments, 0, 0);
    float code = (float)error;
    cudaMemcpy(out + 392, &code, sizeof code, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
}
