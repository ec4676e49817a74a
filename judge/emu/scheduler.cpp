// The life of a block's threads: start, exit, yield, and what happens when none can run.
#include "scheduler.h"
#include "errors.h"
#include "image.h"
#include "note.h"
#include <string.h>

__thread emu_dim threadIdx, blockIdx, blockDim, gridDim;
extern "C" {
__thread char *emu_dynamic_shared;
__thread int emu_spin_budget;
}

namespace emu {

__thread Worker *this_worker;

namespace {

// Take the running thread, which has returned from the kernel, out of its block.
// Returns the next thread to run, or -1 if it was the last.
int exit_thread(Worker &w, Block &b) {
    int warp = warp_of(b.slot);
    if (!(b.alive[warp] &= ~(1u << lane_of(b.slot)))) b.alive_warps &= ~(1u << warp);
    b.made_progress();
    if (!--b.alive_count) return -1;
    // Exited threads are not waited for, as on the hardware: this exit may be what others wait for.
    if (b.warps[warp].meeting_count) exited_in_warp(w, b, warp);
    if (b.waiting == b.alive_count) release_barrier(w, b);
    if (b.active_mask_warps) resolve_active_mask(w, b, warp);
    int next = next_in_order(w, b, b.slot);
    return next < 0 ? next_when_stuck(w, b) : next;
}

} // namespace

void fiber_main(void *argument) {
    Stack *stack = static_cast<Stack *>(argument);
    for (;;) {
        Worker &w = *this_worker;
        Block &b = *w.block;
        int next = b.slot;
        do { // fresh threads, one after another on this stack
            b.slot = next;
            b.clear_ready(warp_of(next), lane_of(next));
            b.fresh[warp_of(next)] &= ~(1u << lane_of(next));
            threadIdx = w.thread_index[next];
            emu_spin_budget = spin_budget;
            w.invoke(w.closure);
            next = exit_thread(w, b);
        } while (next >= 0 && b.fresh[warp_of(next)] >> lane_of(next) & 1);
        w.stacks.give_back(stack);
        if (next < 0) {
            w.left = Left::finished;
            context_switch(&stack->idle, &w.main_context);
        } else {
            switch_to(w, b, next, &stack->idle);
        }
        // Somebody took this stack to start the thread in w.block->slot, perhaps of another block.
    }
}

void start_block(Worker &w, Block &b, uint64_t number) {
    const Launch &launch = *w.launch;
    emu_dim grid = launch.config.grid;
    b.index = {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
               static_cast<unsigned>(number / grid.x / grid.y)};
    int warps = static_cast<int>((launch.threads + warp_size - 1) / warp_size);
    b.slot = 0;
    b.active_mask_warps = 0;
    b.alive_count = static_cast<int>(launch.threads);
    b.waiting = 0;
    b.made_progress();
    b.votes = {0, 1, 0};
    if (b.async_used) forget_async_copies(b);
    b.ready_warps = b.alive_warps = warps == 32 ? ~0u : (1u << warps) - 1;
    for (int p = 0; p < warps; p++) {
        Warp &warp = b.warps[p];
        warp.first_thread = w.warp_first_thread[p];
        warp.meeting_count = 0;
        warp.at_active_mask = 0;
        unsigned lanes = launch.threads - warp.first_thread;
        b.ready[p] = b.fresh[p] = b.alive[p] = lanes >= warp_size ? ~0u : (1u << lanes) - 1;
    }
    // A new block finds arbitrary bits in shared memory. NaNs and huge integers: the least useful ones.
    poison_static_shared();
    if (launch.config.dynamic_bytes) emu_fill_undefined(emu_dynamic_shared, launch.config.dynamic_bytes);
    on_block_start(w, b);
}

void enter_block(Worker &w, Block &b, int next) {
    w.block = &b;
    blockIdx = b.index;
    switch_to(w, b, next, &w.main_context);
    w.block = nullptr;
}

void leave_worker(Worker &w, Left why) {
    w.left = why;
    Context nobody_returns_here;
    context_switch(&nobody_returns_here, &w.main_context);
    __builtin_unreachable();
}

// Every thread that is alive waits for something that cannot come. Say what, and end the kernel.
static void report_deadlock(Worker &w, Block &b) {
    Sentence s;
    unsigned line = 0, other_line = 0;
    if (b.waiting) {
        s.count(static_cast<unsigned>(b.waiting), "thread") << (b.waiting == 1 ? " waits" : " wait") << " at __syncthreads() in line " << b.barrier_line;
        line = b.barrier_line;
    }
    for (int p = 0; p < max_warps; p++) {
        if (!(b.alive_warps >> p & 1)) continue;
        const Warp &warp = b.warps[p];
        for (int k = 0; k < warp.meeting_count; k++) {
            const Meeting &m = warp.meetings[k];
            if (!line) line = m.line;
            else if (!other_line && m.line != line) other_line = m.line;
            else if (other_line) continue; // two places are enough to see the cycle
            if (s.c_str()[0]) s << "; ";
            s << "lanes ";
            s.mask(m.arrived) << " of warp " << warp.first_thread / warp_size << " wait in a warp operation in line "
                              << m.line << " for lanes ";
            s.mask(m.mask & b.alive[p] & ~m.arrived);
        }
    }
    unsigned exited = w.launch->threads - static_cast<unsigned>(b.alive_count);
    if (exited) (s << "; ").count(exited, "thread") << (exited == 1 ? " has" : " have") << " exited";
    Note("barrier").text("reason", "deadlock").text("kernel", w.launch->kernel.name).dim("block", b.index)
        .number("line", line).number("other_line", other_line).text("message", s.c_str()).send();
    emu_set_error(launch_timeout, 1, nullptr, 0);
}

int next_when_stuck(Worker &w, Block &b) {
    for (int p = 0; p < max_warps; p++)
        if (b.active_mask_warps >> p & 1 && resolve_active_mask(w, b, p))
            return next_in_order(w, b, b.slot);
    report_deadlock(w, b);
    leave_worker(w, Left::aborted);
}

// The running thread gives way. idleness: how much this tells of a block that only waits. If it tells
// enough, the block waits for another block: leave the OS thread to that one, and come back later.
static void give_way(Worker &w, Block &b, int idleness) {
    int me = b.slot;
    b.idle_yields += idleness;
    if (b.idle_yields > 2 * b.alive_count + 8) {
        b.idle_yields = 0;
        b.set_ready(warp_of(me), 1u << lane_of(me));
        emu_dim index = threadIdx;
        w.left = Left::suspended;
        context_switch(&b.context[me], &w.main_context);
        threadIdx = index;
    } else {
        int next = next_in_order(w, b, me);
        if (next >= 0) {
            b.set_ready(warp_of(me), 1u << lane_of(me));
            suspend(w, b, next);
        }
    }
    emu_spin_budget = spin_budget;
}

void preempt(Worker &w, Block &b) {
    bool alone = next_in_order(w, b, b.slot) < 0; // all others wait: nothing in this block can help it
    give_way(w, b, (alone ? 2 * b.alive_count : b.alive_count) + 9);
}

} // namespace emu

extern "C" {

void emu_yield(void) {
    emu::Worker *w = emu::this_worker;
    if (w && w->block) emu::give_way(*w, *w->block, 1);
    else emu_spin_budget = emu::spin_budget; // host code spins on nothing that a kernel still changes
}

void emu_grid_barrier(unsigned line) {
    emu_barrier(line);
    emu::Worker &w = *emu::this_worker;
    emu::Block &b = *w.block;
    emu::Launch &launch = *w.launch;
    // One thread counts the block in and waits for the other blocks; its own block waits for it.
    int warp = emu::lowest(b.alive_warps);
    if (b.slot == warp * emu::warp_size + emu::lowest(b.alive[warp])) {
        uint64_t generation = launch.grid_generation.load(std::memory_order_acquire);
        if (launch.grid_arrived.fetch_add(1) + 1 == launch.block_count) {
            emu::on_grid_complete();
            launch.grid_arrived.store(0);
            launch.grid_generation.fetch_add(1, std::memory_order_release);
        }
        while (launch.grid_generation.load(std::memory_order_acquire) == generation) emu_yield();
    }
    emu_barrier(line);
    emu::on_grid_passed(b);
}

void emu_kernel_error(int error, const char *message, unsigned line) {
    emu_set_error(error, 1, message, line);
    emu::Worker *w = emu::this_worker;
    if (w && w->block) emu::leave_worker(*w, emu::Left::aborted);
}

int emu_in_kernel(void) { return emu::this_worker && emu::this_worker->block; }

} // extern "C"
