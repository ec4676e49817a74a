// What the worker calls: start, and one call of solve after another.
#include "errors.h"
#include "faults.h"
#include "hooks.h"
#include "launch.h"
#include "memory.h"
#include "note.h"
#include "preempt.h"
#include <stdio.h>

using namespace emu;

extern "C" {

int emu_start(int note_fd, uint64_t memory_limit_bytes, int os_threads) {
    set_note_fd(note_fd);
    set_memory_limit(memory_limit_bytes);
    set_os_threads(os_threads);
    worker_of_this_thread(); // its signal stack, before the handlers that need it
    return install_fault_handlers() | install_preemption();
}

int emu_call(void *entry, void *const *arguments, uint64_t schedule) {
    reset_errors();
    reset_note_count();
    start_allocation_names();
    start_launches(schedule);
    reinterpret_cast<void (*)(void *const *)>(entry)(arguments);
    // Launches return when their blocks are done, so nothing is left to wait for.
    on_call_end();
    check_all_slack();
    fflush(stdout); // what kernels printed, before the process can die in the next call
    return emu_last_error(0);
}

} // extern "C"
