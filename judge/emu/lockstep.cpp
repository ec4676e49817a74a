// Lanes that advance together: before each access of shared or global memory a thread waits until no lane of
// its warp is behind it in the code. Lanes that take the same way do the same access in the same round; where
// ways part, the one that comes first in the code runs until they meet again.
//
// How far a lane is: the places of the calls it is in, from the kernel inwards, and last its next access.
#if defined(EMU_LOCKSTEP)
#include "check.h"
#include <string.h>

namespace emu {
namespace {

bool on_own_stack(const void *address) {
    auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    return reinterpret_cast<uintptr_t>(address) - here < stack_bytes;
}

LaneProgress *running() {
    Worker *w = this_worker;
    return w && w->block ? &w->block->warps[warp_of(w->block->slot)].progress[lane_of(w->block->slot)] : nullptr;
}

// Below 0: a is behind b; 0: they are at one place. A lane that has not begun is behind all others.
int compare(const LaneProgress &a, const LaneProgress &b) {
    for (unsigned level = 0;; level++) {
        uint64_t at_a = level < a.depth ? a.calls[level] : a.next_access;
        uint64_t at_b = level < b.depth ? b.calls[level] : b.next_access;
        if (at_a != at_b) return at_a < at_b ? -1 : 1;
        if (level >= a.depth || level >= b.depth) return 0;
    }
}

} // namespace

void check_enter(const void *call) {
    LaneProgress *mine = running();
    if (!mine) return;
    if (mine->depth < max_known_calls) mine->calls[mine->depth] = reinterpret_cast<uint64_t>(call);
    if (mine->depth < max_known_calls) mine->depth++;
    else mine->unknown_calls++;
}
void check_leave() {
    LaneProgress *mine = running();
    if (!mine) return;
    if (mine->unknown_calls) mine->unknown_calls--;
    else if (mine->depth) mine->depth--;
}

void check_access(const void *address, size_t, bool, uint8_t, const void *pc) {
    LaneProgress *mine = running();
    if (!mine || on_own_stack(address)) return;
    Worker &w = *this_worker;
    Block &b = *w.block;
    int warp = warp_of(b.slot), lane = lane_of(b.slot);
    mine->next_access = reinterpret_cast<uint64_t>(pc);
    unsigned first = 0; // the lanes that are furthest behind, if they are not in front of this one
    const LaneProgress *last = mine;
    for (unsigned left = b.ready[warp]; left; left &= left - 1) {
        const LaneProgress &other = b.warps[warp].progress[lowest(left)];
        int order = compare(other, *last);
        if (order > 0) continue;
        if (order < 0) first = 0;
        last = &other;
        first |= left & -left;
    }
    if (first) {
        unsigned later = first & lanes_after(w, lane);
        b.set_ready(warp, 1u << lane);
        suspend(w, b, warp * warp_size + first_lane(w, later ? later : first));
    }
    mine->next_access = 0; // known again at the next one; until then it comes first
}

void on_block_start(Worker &, Block &b) {
    for (Warp &warp : b.warps) memset(warp.progress, 0, sizeof warp.progress);
}

void check_synchronise(const void *, bool, bool, bool) {}
void check_fence() {}
void check_index(const void *, const char *, long) {}

} // namespace emu
#endif
