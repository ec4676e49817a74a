// cooperative_groups on the CPU: the block, tiles of a warp, the threads that are active together, the grid.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cooperative_groups.h is internal: include <cooperative_groups.h>"
#endif

#define EMU_LINE unsigned line = __builtin_LINE()

namespace cooperative_groups {

// ---- the block ----------------------------------------------------------------------------------
class thread_block {
public:
    static void sync(EMU_LINE) { emu_barrier(line); }
    static unsigned int thread_rank()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned int size() { return num_threads(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

// ---- the grid: its kernel must be launched by cudaLaunchCooperativeKernel --------------------------------
class grid_group {
public:
    static void sync(EMU_LINE) { emu_grid_barrier(line); }
    static bool is_valid() { return true; }
    static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
    static unsigned long long block_rank()
    {
        return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
    }
    static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
    static unsigned long long size() { return num_threads(); }
    static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

// ---- clusters of blocks are Hopper's ---------------------------------------------------------------------
template <class T = void> inline thread_block this_cluster()
{
    static_assert(emu::offered<T>, "unsupported: clusters of blocks (this_cluster): the CPU backend does not have "
                                   "them; use BACKEND=gpu");
    return {};
}

// ---- part of a warp: some lanes and the operations among them ------------------------------------------
class lane_group {
protected:
    unsigned int mask_;

    explicit lane_group(unsigned int mask) : mask_(mask) {}

    static unsigned int lane() { return (unsigned int)emu_lane(); }
    // The lane of the rank-th member; the calling lane itself if there is none.
    int lane_of(unsigned int rank) const
    {
        unsigned int left = mask_;
        for (; rank != 0 && left != 0; rank--) left &= left - 1;
        return left ? __builtin_ctz(left) : int(lane());
    }
    // Member r of the result answers for rank r.
    unsigned int by_rank(unsigned int lanes) const
    {
        unsigned int ranks = 0, bit = 1;
        for (unsigned int left = mask_; left != 0; left &= left - 1, bit <<= 1)
            if (lanes & left & -left) ranks |= bit;
        return ranks;
    }

public:
    unsigned int num_threads() const { return (unsigned int)__builtin_popcount(mask_); }
    unsigned int size() const { return num_threads(); }
    unsigned int thread_rank() const { return (unsigned int)__builtin_popcount(mask_ & ((1u << lane()) - 1)); }
    void sync(EMU_LINE) const { emu_warp_sync(mask_, line); }

    template <class T> T shfl(T value, int rank, EMU_LINE) const
    {
        return __shfl_sync(mask_, value, lane_of((unsigned int)rank % num_threads()), 32, line);
    }
    template <class T> T shfl_up(T value, unsigned int delta, EMU_LINE) const
    {
        const unsigned int rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of(rank >= delta ? rank - delta : rank), 32, line);
    }
    template <class T> T shfl_down(T value, unsigned int delta, EMU_LINE) const
    {
        const unsigned int rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of(rank + delta < num_threads() ? rank + delta : rank), 32, line);
    }
    template <class T> T shfl_xor(T value, unsigned int bits, EMU_LINE) const
    {
        const unsigned int rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of((rank ^ bits) < num_threads() ? rank ^ bits : rank), 32, line);
    }
    unsigned int ballot(int predicate, EMU_LINE) const { return by_rank(emu_ballot(mask_, predicate, line)); }
    int any(int predicate, EMU_LINE) const { return emu_ballot(mask_, predicate, line) != 0; }
    int all(int predicate, EMU_LINE) const { return emu_ballot(mask_, !predicate, line) == 0; }
    template <class T> unsigned int match_any(T value, EMU_LINE) const
    {
        return by_rank(__match_any_sync(mask_, value, line));
    }
    template <class T> unsigned int match_all(T value, int& all_equal, EMU_LINE) const
    {
        return by_rank(__match_all_sync(mask_, value, &all_equal, line));
    }
};

// 1, 2, 4, ... 32 neighbouring lanes.
template <unsigned int tile_size, class Parent = void>
class thread_block_tile : public lane_group {
    static_assert(tile_size != 0 && (tile_size & (tile_size - 1)) == 0 && tile_size <= 32,
                  "unsupported: tiles that are not a power of two of at most 32 threads: the CPU backend does not "
                  "have them; use BACKEND=gpu");

public:
    thread_block_tile() : lane_group(tile_mask()) {}
    // thread_block_tile<8> holds a tile of whatever parent.
    template <class Other> thread_block_tile(const thread_block_tile<tile_size, Other>&) : lane_group(tile_mask()) {}
    static constexpr unsigned int num_threads() { return tile_size; }
    static constexpr unsigned int size() { return tile_size; }
    static unsigned int thread_rank() { return lane() % tile_size; }
    static unsigned int meta_group_rank() { return thread_block::thread_rank() / tile_size; }
    static unsigned int meta_group_size() { return (thread_block::size() + tile_size - 1) / tile_size; }

private:
    static unsigned int tile_mask()
    {
        const unsigned int low = tile_size == 32 ? 0xFFFFFFFFu : (1u << tile_size % 32) - 1;
        return low << lane() / tile_size * tile_size;
    }
};
template <unsigned int tile_size, class Parent>
inline thread_block_tile<tile_size, Parent> tiled_partition(const Parent&)
{
    return {};
}

// The lanes that are at this place together.
class coalesced_group : public lane_group {
public:
    explicit coalesced_group(unsigned int mask) : lane_group(mask) {}
    unsigned int meta_group_rank() const { return 0; }
    unsigned int meta_group_size() const { return 1; }
};
inline coalesced_group coalesced_threads(EMU_LINE) { return coalesced_group(emu_active_mask(line)); }

// A group whose size is known only at run time.
inline coalesced_group tiled_partition(const thread_block&, unsigned int tile_size)
{
    const unsigned int low = tile_size >= 32 ? 0xFFFFFFFFu : (1u << tile_size) - 1;
    return coalesced_group(low << (unsigned int)emu_lane() / tile_size * tile_size);
}

template <class Group> inline void sync(const Group& group, EMU_LINE) { group.sync(line); }
inline void sync(const thread_block&, EMU_LINE) { thread_block::sync(line); }
template <class Group> inline auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> inline auto group_size(const Group& group) { return group.size(); }

// The first member does it, and all get its result.
template <class Group, class Function>
inline void invoke_one(const Group& group, Function&& function)
{
    if (group.thread_rank() == 0) function();
}

}  // namespace cooperative_groups

#undef EMU_LINE
