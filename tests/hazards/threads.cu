// Threads of a block, of a warp, of a grid.
#include "hazard.cuh"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define ALL 0xffffffffu

__global__ void exits_early(unsigned* out)
{
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (threadIdx.x >= 40) return;
    atomicAdd(&sum, 1u);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void barrier_in_some_blocks(unsigned* out)
{
    __shared__ unsigned words[64];
    if (blockIdx.x == 0) return;
    words[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = words[63];
}
__global__ void votes_of_blocks(unsigned* out)
{
    const int i = threadIdx.x;
    const int count = __syncthreads_count(i % 3 == 0), all = __syncthreads_and(i < 100), any = __syncthreads_or(i == 99);
    if (i == 0) out[0] = count, out[1] = all != 0, out[2] = any != 0;
}
__global__ void partial_shuffles(unsigned* out)
{
    const unsigned i = threadIdx.x;
    if (i < 16) {
        const unsigned down = __shfl_down_sync(0xffffu, i, 8, 16), up = __shfl_up_sync(0xffffu, i, 3, 16);
        const unsigned sum = __reduce_add_sync(0xffffu, i);
        if (i < 4) out[i] = down, out[4 + i] = up;
        if (i == 0) out[8] = sum;
    }
}
__global__ void shuffle_edges(unsigned* out)
{
    const unsigned i = threadIdx.x;
    const unsigned past_end = __shfl_down_sync(ALL, i, 30), before = __shfl_up_sync(ALL, i, 30);
    const unsigned wraps = __shfl_sync(ALL, i, 35), in_width = __shfl_sync(ALL, i, 5, 8);
    const unsigned over_width = __shfl_xor_sync(ALL, i, 8, 8), down = __shfl_down_sync(ALL, i, 6, 8);
    if (i == 31) out[0] = past_end, out[1] = before, out[2] = wraps, out[3] = in_width, out[4] = over_width, out[5] = down;
    if (i == 1) out[6] = past_end, out[7] = before, out[8] = in_width, out[9] = over_width, out[10] = down;
}
__global__ void ballots(unsigned* out)
{
    const unsigned i = threadIdx.x;
    if (i >= 24) return;
    const unsigned odd = __ballot_sync(0x00ffffffu, i & 1);
    const int all = __all_sync(0x00ffffffu, i < 24), any = __any_sync(0x00ffffffu, i == 30);
    int same;
    const unsigned equal = __match_any_sync(0x00ffffffu, i / 5), whole = __match_all_sync(0x00ffffffu, i / 24, &same);
    if (i == 7) out[0] = odd, out[1] = all, out[2] = any, out[3] = equal, out[4] = whole, out[5] = same;
}
__global__ void reductions(unsigned* out)
{
    const int i = threadIdx.x, x = i - 10;
    const int sum = __reduce_add_sync(ALL, x), low = __reduce_min_sync(ALL, x), high = __reduce_max_sync(ALL, x);
    const unsigned both = __reduce_and_sync(ALL, unsigned(i) | 64u), either = __reduce_or_sync(ALL, unsigned(i));
    if (i == 5) out[0] = sum, out[1] = low, out[2] = high, out[3] = both, out[4] = either;
}
__global__ void halves_of_a_warp(unsigned* out)
{
    __shared__ unsigned words[32];
    const unsigned i = threadIdx.x, mask = i < 16 ? 0xffffu : 0xffff0000u;
    words[i] = i;
    __syncwarp(mask);
    unsigned sum = 0;
    for (unsigned k = i & 16; k < (i & 16) + 16; k++) sum += words[k];
    if (i % 16 == 3) out[i / 16] = sum;
}
__device__ unsigned arrived;
__device__ unsigned partial[8];
__global__ void last_block(unsigned* out)
{
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        if (atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1) {
            unsigned sum = 0;
            for (unsigned b = 0; b < gridDim.x; b++) sum += *(volatile unsigned*)&partial[b];
            out[0] = sum;
            out[1] = *(volatile unsigned*)&arrived;
        }
    }
}
__global__ void whole_grid(unsigned* out)
{
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) partial[blockIdx.x] = 2 * blockIdx.x;
    grid.sync();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        for (unsigned b = 0; b < gridDim.x; b++) out[0] += partial[b];
    if (grid.thread_rank() == grid.size() - 1) out[1] = unsigned(grid.thread_rank());
}
__global__ void groups(unsigned* out)
{
    const unsigned i = threadIdx.x;
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    const unsigned next = tile.shfl_down(i, 1), odd = tile.ballot(i & 1);
    if (i == 6) out[0] = next, out[1] = odd, out[2] = tile.thread_rank(), out[3] = tile.meta_group_rank(), out[4] = tile.meta_group_size();
    if (i % 5 == 0) {
        auto together = cg::coalesced_threads();
        if (i == 25) out[5] = together.size(), out[6] = together.thread_rank(), out[7] = together.shfl(i, 2);
        else together.shfl(i, 2);
    }
}

HAZARD(early_exit_before_barrier) { exits_early<<<3, 64>>>(out); }
HAZARD(barrier_not_in_first_block) { barrier_in_some_blocks<<<4, 64>>>(out); }
HAZARD(barriers_that_vote) { votes_of_blocks<<<1, 100>>>(out); }
HAZARD(shuffle_partial_mask) { partial_shuffles<<<1, 32>>>(out); }
HAZARD(shuffle_beyond_the_edges) { shuffle_edges<<<1, 32>>>(out); }
HAZARD(votes_without_the_exited) { ballots<<<1, 32>>>(out); }
HAZARD(warp_reductions) { reductions<<<1, 32>>>(out); }
HAZARD(two_halves_of_a_warp_wait_apart) { halves_of_a_warp<<<1, 32>>>(out); }
HAZARD(the_last_block_sums_up) { last_block<<<8, 32>>>(out); }
HAZARD(a_barrier_of_the_grid)
{
    void* arguments[] = {&out};
    tell(out, 2, cudaLaunchCooperativeKernel((const void*)whole_grid, dim3(8), dim3(32), arguments, 0, nullptr));
}
HAZARD(tiles_and_coalesced_threads) { groups<<<1, 32>>>(out); }
