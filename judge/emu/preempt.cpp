// The timer and its signal; see preempt.h.
#include "preempt.h"
#include "image.h"
#include "scheduler.h"
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

namespace emu {
namespace {

// Time that a thread used the processor. Long enough that threads which only compute are rarely met; once
// one was suspended others will have to be, and each turn of a waiting thread is lost time.
constexpr long first_tick_ns = 50'000'000, further_tick_ns = 10'000'000;

void set_timer(Worker &w, long interval_ns) {
    itimerspec time{{0, interval_ns}, {0, interval_ns}};
    syscall(SYS_timer_settime, w.timer, 0, &time, nullptr);
}

uint64_t program_counter_of(const void *context) {
    auto *u = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
    return static_cast<uint64_t>(u->uc_mcontext.gregs[REG_RIP]);
#else
    return u->uc_mcontext.pc;
#endif
}

// Runs on the CUDA thread's own stack, and stays there while the thread is suspended: returning from the
// handler, later, restores every register. Only code of the submission is interrupted: this runtime is
// not reentrant, and libc may hold a lock.
void on_tick(int, siginfo_t *, void *context) {
    Worker *w = this_worker;
    if (!w || !w->block || !image_offset(program_counter_of(context))) return;
    Block &b = *w->block;
    bool since_last_tick = w->ticked_block == &b && w->ticked_slot == b.slot && w->ticked_progress == b.progress;
    w->ticked_block = &b;
    w->ticked_slot = b.slot;
    w->ticked_progress = b.progress;
    if (!since_last_tick && !w->preempted) return; // it may have begun just now
    w->ticked_block = nullptr;
    if (!w->preempted) set_timer(*w, further_tick_ns);
    w->preempted = true;
    w->interrupted_offset = image_offset(program_counter_of(context));
    w->interrupted_thread = threadIdx;
    w->interrupted_block = blockIdx;
    preempt(*w, b);
}

} // namespace

int install_preemption() {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_tick;
    // Not on the signal stack, and not masked: the handler is left by a switch, not by a return.
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    return sigaction(SIGVTALRM, &action, nullptr);
}

void watch_blocks(Worker &w) {
    if (!w.timer_made) {
        // Plain system calls: the library functions are in librt before glibc 2.34.
        struct sigevent event;
        memset(&event, 0, sizeof event);
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGVTALRM;
#if defined(sigev_notify_thread_id)
        event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
#else
        event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
#endif
        w.timer_made = true;
        if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &w.timer)) w.timer = -1;
    }
    if (w.timer < 0) return; // a limit on timers: such loops run until the judge's time limit
    w.ticked_block = nullptr;
    w.interrupted_offset = 0;
    w.preempted = false;
    set_timer(w, first_tick_ns);
}

void unwatch_blocks(Worker &w) {
    if (w.timer >= 0) set_timer(w, 0);
}

} // namespace emu
