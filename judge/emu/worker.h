// An OS thread that runs blocks, and the launch it works on.
#pragma once
#include "block.h"
#include "order.h"
#include "stacks.h"
#include <atomic>
#include <pthread.h>

namespace emu {

// One kernel launch, shared by the workers.
struct Launch {
    emu_config config;
    emu_kernel kernel;
    Order order;
    uint64_t block_count;
    unsigned threads; // a block
    std::atomic<uint64_t> next_block{0};
    std::atomic<bool> ended{false};           // an error: start no more blocks
    std::atomic<uint64_t> grid_arrived{0};    // blocks at the grid barrier
    std::atomic<uint64_t> grid_generation{0}; // grid barriers passed
};

enum class Left : uint8_t { finished, suspended, aborted }; // why a block gave up the OS thread

struct Worker {
    Block *block = nullptr; // the one running; null outside kernels
    Context main_context{};
    Left left = Left::finished;
    bool lanes_reversed = false;
    const void *closure = nullptr;
    void (*invoke)(const void *) = nullptr;
    StackPool stacks;
    emu_dim thread_index[max_threads]; // by slot, for the launch
    unsigned warp_first_thread[max_warps];
    emu_dim prepared_block{0, 0, 0}; // what thread_index was computed for
    Order prepared_order;
    Launch *launch = nullptr;
    uint8_t *dynamic = nullptr; // arena for dynamic shared memory, a guard page after it
    size_t dynamic_capacity = 0;
    Block *spare = nullptr;     // blocks not in use
    Block *suspended = nullptr, *suspended_last = nullptr;
    unsigned suspended_count = 0;
    // preempt.cpp
    bool timer_made = false, preempted = false;
    int timer = -1;
    const Block *ticked_block = nullptr; // what ran at the last tick
    uint64_t interrupted_offset = 0;     // in the submission, of the thread that a tick suspended last; 0: none
    emu_dim interrupted_thread{0, 0, 0}, interrupted_block{0, 0, 0};
    int ticked_slot = 0;
    unsigned ticked_progress = 0;
    pthread_t thread;
    Worker *next_worker = nullptr; // list of all, for the signal handlers
};

extern __thread Worker *this_worker __attribute__((tls_model("initial-exec")));
Worker *worker_of_this_thread(); // creates it on first use
Worker *first_worker();          // head of the list of all

void run_blocks(Worker &w, Launch &launch); // until none is left; pool.cpp lets every worker do it

} // namespace emu

// The built-in variables, writable here; the submission sees them const.
extern "C" {
extern __thread char *emu_dynamic_shared __attribute__((tls_model("initial-exec")));
extern __thread int emu_spin_budget __attribute__((tls_model("initial-exec")));
}
extern __thread emu_dim threadIdx __attribute__((tls_model("initial-exec")));
extern __thread emu_dim blockIdx __attribute__((tls_model("initial-exec")));
extern __thread emu_dim blockDim __attribute__((tls_model("initial-exec")));
extern __thread emu_dim gridDim __attribute__((tls_model("initial-exec")));
