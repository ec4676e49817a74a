// __syncthreads and its voting forms.
#include "errors.h"
#include "note.h"
#include "scheduler.h"

namespace emu {

void release_barrier(Worker &w, Block &b) {
    on_barrier(w, b);
    b.waiting = 0;
    b.made_progress();
    b.decided = b.votes; // read by each thread before it can arrive at the next barrier
    b.votes = {0, 1, 0};
    // Everyone alive waits here, so everyone is ready.
    for (unsigned warps = b.alive_warps; warps; warps &= warps - 1) {
        int p = lowest(warps);
        b.ready[p] = b.alive[p];
    }
    b.ready_warps = b.alive_warps;
}

// Two places at once: undefined in CUDA (the barrier must be reached in uniform control flow), and the
// data that the two sides meant to exchange are not what they expect.
__attribute__((noinline, cold)) static void report_divergence(Worker &w, Block &b, unsigned line) {
    Sentence s;
    s << "thread " << threadIdx << " waits at the __syncthreads() of line " << line << " while ";
    s.count(static_cast<unsigned>(b.waiting), "thread")
        << " of its block " << (b.waiting == 1 ? "waits" : "wait") << " at that of line " << b.barrier_line;
    Note("barrier").text("reason", "barrier_divergence").text("kernel", w.launch->kernel.name)
        .dim("block", b.index).dim("thread", threadIdx).number("line", line)
        .number("other_line", b.barrier_line).text("message", s.c_str()).send();
    emu_set_error(launch_failure, 1, nullptr, 0);
    leave_worker(w, Left::aborted);
}

static inline void arrive(Worker &w, Block &b, unsigned line) {
    if (!b.waiting) b.barrier_line = line;
    else if (__builtin_expect(b.barrier_line != line, 0)) report_divergence(w, b, line);
    if (++b.waiting < b.alive_count) {
        wait_in_block(w, b);
        return;
    }
    release_barrier(w, b);
    // The last to arrive could go on at once; going on in order keeps neighbours' data warm and the
    // order of the threads the same between all barriers.
    int first = next_in_later_warps(w, b, 31);
    if (first == b.slot) b.clear_ready(warp_of(first), lane_of(first));
    else suspend(w, b, first);
}

} // namespace emu

extern "C" {

void emu_barrier(unsigned line) {
    emu::Worker &w = *emu::this_worker;
    emu::arrive(w, *w.block, line);
}

int emu_barrier_reduce(int predicate, int kind, unsigned line) {
    emu::Worker &w = *emu::this_worker;
    emu::Block &b = *w.block;
    b.votes.count += predicate != 0;
    b.votes.all &= predicate != 0;
    b.votes.any |= predicate != 0;
    emu::arrive(w, b, line);
    return kind == EMU_COUNT ? b.decided.count : kind == EMU_AND ? b.decided.all : b.decided.any;
}

} // extern "C"
