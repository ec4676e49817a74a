// The order in which a launch runs its blocks and a block its threads. CUDA promises none, so the
// judge varies it between calls: an answer that depends on it is wrong.
#pragma once
#include "device.h"

namespace emu {

// SplitMix64 (Steele et al. 2014): every input bit reaches every output bit.
inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

struct Order {
    bool lanes_reversed = false;
    uint64_t warps = 0; // 0 forward, 1 reversed, else a seed for a shuffle
    // Block number i of the schedule is block (i * stride + start) mod the number of blocks.
    uint64_t stride = 1, start = 0;

    bool same_threads(const Order &o) const {
        return lanes_reversed == o.lanes_reversed && warps == o.warps;
    }
    uint64_t block(uint64_t i, uint64_t blocks) const {
        return static_cast<uint64_t>((static_cast<unsigned __int128>(i) * stride + start) % blocks);
    }
};

inline uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

// schedule 0: everything forward. Otherwise at least the blocks are not; launch: its number in the call.
inline Order order_of(uint64_t schedule, uint64_t launch, uint64_t blocks) {
    Order order;
    if (!schedule || !blocks) return order;
    uint64_t h = mix(schedule);
    order.lanes_reversed = h & 1;
    switch (h >> 1 & 3) {
    case 0: order.warps = order.lanes_reversed ? 1 : 2; break; // threads never run wholly forward
    case 1: order.warps = 1; break;
    default: order.warps = h | 2; break;
    }
    if (h >> 3 & 1) { // last block first
        order.stride = blocks - 1;
        order.start = blocks - 1;
        if (blocks == 1) order.stride = 1, order.start = 0;
        return order;
    }
    uint64_t r = mix(h + launch);
    order.start = r % blocks;
    order.stride = blocks > 2 ? 1 + (r >> 20) % (blocks - 1) : 1;
    while (common_divisor(order.stride, blocks) != 1) order.stride++;
    return order;
}

} // namespace emu
