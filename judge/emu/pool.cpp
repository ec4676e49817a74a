// Blocks over OS threads: each takes the next one from an atomic counter. The calling thread works too.
#include "pool.h"
#include "errors.h"
#include "hooks.h"
#include "image.h"
#include "launch.h"
#include "preempt.h"
#include "scheduler.h"
#include <new>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

namespace emu {
namespace {

constexpr int max_os_threads = 16; // stacks and their guard pages are mappings, of which Linux allows 65,530
// Threads of the blocks that an OS thread keeps suspended at a time: what the stacks are enough for.
constexpr unsigned max_suspended_threads = max_slabs * stacks_a_slab - max_threads;

int os_threads = 1;
int helpers = 0; // threads started so far, beside the calling one
pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t work_arrived = PTHREAD_COND_INITIALIZER, work_done = PTHREAD_COND_INITIALIZER;
Launch *job = nullptr;
uint64_t job_number = 0;
int working = 0;
Worker *workers = nullptr;

void *helper_main(void *) {
    Worker &w = *worker_of_this_thread();
    uint64_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&pool_mutex);
        while (job_number == seen) pthread_cond_wait(&work_arrived, &pool_mutex);
        seen = job_number;
        Launch *launch = job;
        pthread_mutex_unlock(&pool_mutex);
        run_blocks(w, *launch);
        pthread_mutex_lock(&pool_mutex);
        if (--working == 0) pthread_cond_signal(&work_done);
        pthread_mutex_unlock(&pool_mutex);
    }
    return nullptr;
}

void start_helpers() {
    while (helpers < os_threads - 1) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, helper_main, nullptr)) {
            os_threads = helpers + 1; // a limit on processes: go on with what there is
            return;
        }
        pthread_detach(thread);
        helpers++;
    }
}

// A handler must not run on the stack whose overflow it reports.
void use_signal_stack() {
    constexpr size_t bytes = 64 * 1024;
    stack_t stack{};
    stack.ss_sp = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack.ss_size = bytes;
    if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, nullptr);
}

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

Worker *worker_of_this_thread() {
    if (this_worker) return this_worker;
    use_signal_stack();
    void *p = mmap(nullptr, sizeof(Worker), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    Worker *w = new (p) Worker();
    w->thread = pthread_self();
    pthread_mutex_lock(&pool_mutex);
    w->next_worker = workers;
    workers = w;
    pthread_mutex_unlock(&pool_mutex);
    return this_worker = w;
}

Worker *first_worker() { return workers; }

void set_os_threads(int count) { os_threads = count < 1 ? 1 : count > max_os_threads ? max_os_threads : count; }

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

void run_on_pool(Launch &launch) {
    Worker &w = *worker_of_this_thread();
    if (os_threads < 2 || launch.block_count < 2) {
        run_blocks(w, launch);
        return;
    }
    start_helpers();
    pthread_mutex_lock(&pool_mutex);
    job = &launch;
    job_number++;
    working = helpers;
    pthread_cond_broadcast(&work_arrived);
    pthread_mutex_unlock(&pool_mutex);
    run_blocks(w, launch);
    pthread_mutex_lock(&pool_mutex);
    while (working) pthread_cond_wait(&work_done, &pool_mutex);
    pthread_mutex_unlock(&pool_mutex);
}

} // namespace emu
