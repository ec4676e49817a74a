// Which thread of a block runs next, and the switch to it. Included by what can make a thread wait:
// barrier.cpp, warp.cpp, scheduler.cpp.
//
// Threads start lazily: all of a block's threads are ready from the beginning, a fresh one begins on
// the stack of a thread that has just exited, or on an idle one if the thread before it must wait.
// The switch goes from thread to thread directly; no scheduler context lies between.
#pragma once
#include "context.h"
#include "hooks.h"
#include "worker.h"

namespace emu {

constexpr int spin_budget = 1024; // atomic operations in one turn that make a thread give way

void fiber_main(void *stack); // the loop that runs fresh threads, on every stack

inline int lowest(unsigned lanes) { return __builtin_ctz(lanes); }
inline int first_lane(const Worker &w, unsigned lanes) {
    return w.lanes_reversed ? 31 - __builtin_clz(lanes) : lowest(lanes);
}
inline unsigned lanes_after(const Worker &w, int lane) {
    return w.lanes_reversed ? (1u << lane) - 1 : ~1u << lane;
}

// The first ready thread of the warps after `warp`, wrapping round to it; -1: none.
inline int next_in_later_warps(const Worker &w, const Block &b, int warp) {
    if (!b.ready_warps) return -1;
    unsigned later = b.ready_warps & (~1u << warp);
    int next = lowest(later ? later : b.ready_warps);
    return next * warp_size + first_lane(w, b.ready[next]);
}

// The next ready thread in schedule order after `slot`, wrapping round; -1: none.
inline int next_in_order(const Worker &w, const Block &b, int slot) {
    int warp = warp_of(slot);
    unsigned later = b.ready[warp] & lanes_after(w, lane_of(slot));
    if (later) return warp * warp_size + first_lane(w, later);
    return next_in_later_warps(w, b, warp);
}

// The same, but the rest of this warp first: its 32 stacks are warm, and it alone can end a meeting.
inline int next_in_warp(const Worker &w, const Block &b, int slot) {
    int warp = warp_of(slot);
    unsigned lanes = b.ready[warp];
    if (!lanes) return next_in_later_warps(w, b, warp);
    unsigned later = lanes & lanes_after(w, lane_of(slot));
    return warp * warp_size + first_lane(w, later ? later : lanes);
}

// Continue with thread `next`, leaving the running context in *save. The caller restores threadIdx.
inline void switch_to(Worker &w, Block &b, int next, Context *save) {
    int warp = warp_of(next), lane = lane_of(next);
    b.slot = next;
    b.clear_ready(warp, lane);
    const Context *target = &b.context[next];
    // The thread after it, most likely, is next: fetch what it left on its stack.
    const Context &after = b.context[w.lanes_reversed ? next - (next > 0) : next + 1];
    __builtin_prefetch(after.stack);
    __builtin_prefetch(static_cast<char *>(after.stack) + 64);
    if (__builtin_expect(b.fresh[warp] >> lane & 1, 0)) {
        Stack *stack = w.stacks.take(fiber_main);
        if (__builtin_expect(!stack, 0)) {
            emu_kernel_error(2, "no more stacks for the waiting threads of this kernel", 0);
            __builtin_unreachable();
        }
        target = &stack->idle;
    }
    context_switch(save, target);
}

// Suspend the running thread in favour of `next`; returns when something switches back to it.
inline void suspend(Worker &w, Block &b, int next) {
    emu_dim index = threadIdx; // kept on the thread's own stack, which the switch touches anyway
    switch_to(w, b, next, &b.context[b.slot]);
    threadIdx = index;
    emu_spin_budget = spin_budget;
}

// Nothing is ready: resolve an __activemask() or explain the deadlock (then it does not return).
int next_when_stuck(Worker &w, Block &b);
bool resolve_active_mask(Worker &w, Block &b, int warp); // warp.cpp: where no lane can run
void exited_in_warp(Worker &w, Block &b, int warp);      // warp.cpp: a meeting may be complete now

// The running thread must wait for others of its block.
inline void wait_in_block(Worker &w, Block &b) {
    if (__builtin_expect(b.active_mask_warps != 0, 0)) resolve_active_mask(w, b, warp_of(b.slot));
    int next = next_in_order(w, b, b.slot);
    if (__builtin_expect(next < 0, 0)) next = next_when_stuck(w, b);
    suspend(w, b, next);
}

// The running thread must wait for lanes of its warp.
inline void wait_in_warp(Worker &w, Block &b) {
    if (__builtin_expect(b.active_mask_warps != 0, 0)) resolve_active_mask(w, b, warp_of(b.slot));
    int next = next_in_warp(w, b, b.slot);
    if (__builtin_expect(next < 0, 0)) next = next_when_stuck(w, b);
    if (next == b.slot) { // resolve_active_mask freed this very thread
        b.clear_ready(warp_of(next), lane_of(next));
        return;
    }
    suspend(w, b, next);
}

void preempt(Worker &w, Block &b); // from a signal handler: the running thread has had its share
void forget_async_copies(Block &b);                       // async.cpp
bool copy_is_on_its_way(const Block &b, const void *to);  // to this byte of shared memory; async.cpp
void release_barrier(Worker &w, Block &b);                // barrier.cpp: every thread is ready now
[[noreturn]] void leave_worker(Worker &w, Left why);      // abandon the running context
void start_block(Worker &w, Block &b, uint64_t number);   // prepare a block's state
void enter_block(Worker &w, Block &b, int next);          // run it until it leaves the worker

} // namespace emu
