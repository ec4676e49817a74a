// OS threads that work on a launch together; the calling thread is one of them.
#include "pool.h"
#include "launch.h"
#include <new>
#include <signal.h>
#include <sys/mman.h>

namespace emu {
namespace {

constexpr int max_os_threads = 16; // stacks and their guard pages are mappings, of which Linux allows 65,530

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
