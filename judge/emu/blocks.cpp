// The blocks of one OS thread: it takes them from the launch's counter one after another, and sets those
// aside that wait for other blocks.
#include "errors.h"
#include "hooks.h"
#include "image.h"
#include "preempt.h"
#include "scheduler.h"
#include <new>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

namespace emu {
namespace {

// Threads of the blocks that an OS thread keeps suspended at a time: what the stacks are enough for.
constexpr unsigned max_suspended_threads = max_slabs * stacks_a_slab - max_threads;

// Right-aligned against a guard page, in steps of 128 bytes: the alignment that code may expect.
bool provide_dynamic_shared(Worker &w, size_t bytes) {
    size_t pages = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    if (pages > w.dynamic_capacity) {
        if (w.dynamic) munmap(w.dynamic, w.dynamic_capacity + page_bytes);
        void *p = mmap(nullptr, pages + page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) {
            w.dynamic = nullptr;
            w.dynamic_capacity = 0;
            return false;
        }
        w.dynamic = static_cast<uint8_t *>(p);
        w.dynamic_capacity = pages;
        mprotect(w.dynamic + pages, page_bytes, PROT_NONE);
    }
    size_t rounded = (bytes + 127) / 128 * 128;
    emu_dynamic_shared = reinterpret_cast<char *>(w.dynamic + w.dynamic_capacity - rounded);
    return true;
}

// Thread indices and warps of the launch, in its order of threads.
void lay_out_threads(Worker &w, const Launch &launch) {
    emu_dim block = launch.config.block;
    w.lanes_reversed = launch.order.lanes_reversed;
    if (!memcmp(&block, &w.prepared_block, sizeof block) && w.prepared_order.same_threads(launch.order)) return;
    w.prepared_block = block;
    w.prepared_order = launch.order;
    unsigned warps = (launch.threads + warp_size - 1) / warp_size;
    unsigned warp_at[max_warps];
    for (unsigned p = 0; p < warps; p++) warp_at[p] = launch.order.warps == 1 ? warps - 1 - p : p;
    if (launch.order.warps > 1)
        for (unsigned p = warps - 1; p > 0; p--) { // Fisher-Yates
            unsigned other = static_cast<unsigned>(mix(launch.order.warps + p) % (p + 1));
            unsigned t = warp_at[p];
            warp_at[p] = warp_at[other];
            warp_at[other] = t;
        }
    for (unsigned p = 0; p < warps; p++) {
        w.warp_first_thread[p] = warp_at[p] * warp_size;
        for (unsigned lane = 0; lane < warp_size; lane++) {
            unsigned i = w.warp_first_thread[p] + lane;
            w.thread_index[p * warp_size + lane] = {i % block.x, i / block.x % block.y, i / block.x / block.y};
        }
    }
}

Block *spare_block(Worker &w) {
    if (Block *b = w.spare) {
        w.spare = b->next;
        return b;
    }
    void *p = mmap(nullptr, sizeof(Block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? nullptr : new (p) Block();
}

void recycle(Worker &w, Block &b) {
    delete[] b.saved_shared;
    b.saved_shared = nullptr;
    b.next = w.spare;
    w.spare = &b;
}

// A block that waits for other blocks leaves the OS thread to them, its shared memory set aside.
void set_aside(Worker &w, Block &b) {
    size_t fixed = static_shared_total(), dynamic = w.launch->config.dynamic_bytes;
    if (!b.saved_shared) b.saved_shared = new uint8_t[fixed + dynamic + 1];
    save_static_shared(b.saved_shared);
    if (dynamic) memcpy(b.saved_shared + fixed, emu_dynamic_shared, dynamic);
    b.next = nullptr;
    (w.suspended ? w.suspended_last->next : w.suspended) = &b;
    w.suspended_last = &b;
    w.suspended_count++;
}

Block &take_up_again(Worker &w) {
    Block &b = *w.suspended;
    w.suspended = b.next;
    w.suspended_count--;
    size_t fixed = static_shared_total(), dynamic = w.launch->config.dynamic_bytes;
    restore_static_shared(b.saved_shared);
    if (dynamic) memcpy(emu_dynamic_shared, b.saved_shared + fixed, dynamic);
    return b;
}

void abandon_everything(Worker &w) {
    w.stacks.abandon_all();
    while (w.suspended) {
        Block &b = *w.suspended;
        w.suspended = b.next;
        recycle(w, b);
    }
    w.suspended_count = 0;
}

} // namespace

void run_blocks(Worker &w, Launch &launch) {
    w.launch = &launch;
    w.invoke = launch.kernel.invoke;
    w.closure = launch.kernel.closure;
    lay_out_threads(w, launch);
    blockDim = launch.config.block;
    gridDim = launch.config.grid;
    if (!provide_dynamic_shared(w, launch.config.dynamic_bytes)) {
        emu_set_error(memory_allocation, 1, "no memory for dynamic shared memory", launch.kernel.line);
        launch.ended = true;
    }
    watch_blocks(w);
    while (!launch.ended.load(std::memory_order_relaxed)) {
        Block *b = nullptr;
        int next;
        uint64_t number = launch.block_count;
        if (w.suspended_count * launch.threads < max_suspended_threads) number = launch.next_block.fetch_add(1, std::memory_order_relaxed);
        if (number < launch.block_count) {
            b = spare_block(w);
            if (!b) break;
            start_block(w, *b, launch.order.block(number, launch.block_count));
            next = next_in_later_warps(w, *b, max_warps - 1);
        } else if (w.suspended) {
            if (w.suspended_count == 1) sched_yield(); // nothing else here: what it waits for runs elsewhere
            b = &take_up_again(w);
            next = next_in_order(w, *b, b->slot);
        } else {
            break;
        }
        enter_block(w, *b, next);
        if (w.left == Left::suspended) {
            set_aside(w, *b);
            continue;
        }
        if (w.left == Left::aborted) launch.ended = true;
        else on_block_end(w, *b);
        recycle(w, *b);
    }
    unwatch_blocks(w);
    if (launch.ended) abandon_everything(w);
    w.launch = nullptr;
}

} // namespace emu
