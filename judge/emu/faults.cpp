// Signal handlers. They write one note and end the process: memory is in an unknown state. The one
// exception is the first write to a judge's input, which is noted and allowed.
// Everything here is async-signal-safe: no allocation, no lock, no stdio (see note.h).
#include "faults.h"
#include "image.h"
#include "launch.h"
#include "memory.h"
#include "misaligned.h"
#include "note.h"
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

namespace emu {
namespace {

constexpr uint64_t null_page_bytes = 16u << 20; // a null array, indexed; nothing is ever mapped this low
constexpr int exit_fault = 139;                 // as a shell reports SIGSEGV

enum class Access { read, write, exec };

uint64_t program_counter(const ucontext_t *u) {
#if defined(__x86_64__)
    return static_cast<uint64_t>(u->uc_mcontext.gregs[REG_RIP]);
#else
    return u->uc_mcontext.pc;
#endif
}

uint64_t stack_pointer(const ucontext_t *u) {
#if defined(__x86_64__)
    return static_cast<uint64_t>(u->uc_mcontext.gregs[REG_RSP]);
#else
    return u->uc_mcontext.sp;
#endif
}

bool is_write(const ucontext_t *u) {
#if defined(__x86_64__)
    return u->uc_mcontext.gregs[REG_ERR] & 2; // page fault error code, bit 1 (Intel SDM vol. 3, 4.7)
#else
    // The syndrome register follows in the reserved area; bit 6 is WnR (Arm ARM, ESR_EL1 for data aborts).
    auto *record = reinterpret_cast<const struct _aarch64_ctx *>(u->uc_mcontext.__reserved);
    while (record->magic) {
        if (record->magic == ESR_MAGIC) return reinterpret_cast<const struct esr_context *>(record)->esr & 64;
        record = reinterpret_cast<const struct _aarch64_ctx *>(reinterpret_cast<const char *>(record) + record->size);
    }
    return false;
#endif
}

Worker *kernel_worker() { return this_worker && this_worker->block ? this_worker : nullptr; }

// Whether a call instruction ends at this address of the submission's code: else a word of the stack
// that looks like it is a pointer to a function, or left over.
bool is_behind_a_call(uint64_t address) {
#if defined(__x86_64__)
    if (!image_offset(address - 7)) return false;
    auto *end = reinterpret_cast<const uint8_t *>(address);
    if (end[-5] == 0xe8) return true; // call rel32
    for (int length : {2, 3, 4, 6, 7}) // call r/m64: FF /2, a prefix may stand before it
        if (end[-length] == 0xff && (end[1 - length] >> 3 & 7) == 2) return true;
    return false;
#else
    if (!image_offset(address - 4)) return false;
    uint32_t word = reinterpret_cast<const uint32_t *>(address)[-1];
    return word >> 26 == 0x25 || (word & 0xfffffc1f) == 0xd63f0000; // bl, blr
#endif
}

// Where the submission is: its own program counter, or where it called what runs now (memcpy, abort,
// this runtime), which is the first return address to its code on the stack. 0: it is nowhere near.
uint64_t place_in_submission(const ucontext_t *u) {
    if (uint64_t offset = image_offset(program_counter(u))) return offset;
    Worker *w = kernel_worker();
    auto *p = reinterpret_cast<const uint64_t *>(stack_pointer(u) & ~7ull);
    if (w && w->stacks.in_guard_page(p)) return 0;
    auto *end = static_cast<const uint64_t *>(w ? w->stacks.end_of_stack(p) : nullptr);
    if (!end || end > p + 512) end = p + 512; // the host's stack goes on for longer than that
    for (; p < end; p++)
        if (image_offset(*p) && is_behind_a_call(*p))
            return image_offset(*p - 1); // in the call: behind one that never returns comes another line
    return 0;
}

// Which code runs: "pc" as an offset in the submission's library, and the CUDA thread, if there is one. Between
// the turns of threads that wait or never end none runs, and the judge's time limit is over there as often as
// elsewhere: then it is the one that had the last turn.
void add_place(Note &note, const ucontext_t *u, bool or_interrupted = false) {
    uint64_t offset = place_in_submission(u);
    Worker *w = kernel_worker();
    bool between = !offset && or_interrupted && w && w->interrupted_offset;
    if (between) offset = w->interrupted_offset;
    if (offset) note.address("pc", offset);
    else note.text("pc", "");
    note.number("host", w ? 0 : 1).text("kernel", w ? w->launch->kernel.name : "");
    if (!w) return;
    note.dim("block", between ? w->interrupted_block : blockIdx).dim("thread", between ? w->interrupted_thread : threadIdx);
    note.number("launch_line", w->launch->kernel.line);
}

void add_buffer(Note &note, uint64_t address, const ucontext_t *u) {
    auto *p = reinterpret_cast<const uint8_t *>(address);
    Worker *w = kernel_worker();
    if (address < null_page_bytes) {
        note.text("buffer", "null").number("offset", static_cast<long long>(address)).number("bytes", 0);
    } else if (w && w->stacks.in_guard_page(p)) {
        note.text("buffer", "stack").number("offset", 0).number("bytes", static_cast<long long>(stack_bytes));
    } else if (!w && address - stack_pointer(u) + 65536 < 2 * 65536) {
        note.text("buffer", "stack").number("offset", 0).number("bytes", 0); // of the host thread
    } else if (w && w->dynamic && p >= w->dynamic && p < w->dynamic + w->dynamic_capacity + page_bytes) {
        note.text("buffer", "dynamic shared memory").number("offset", p - reinterpret_cast<uint8_t *>(emu_dynamic_shared))
            .number("bytes", static_cast<long long>(w->launch->config.dynamic_bytes));
    } else if (Buffer *b = nearest_buffer(p)) {
        char name[64] = "";
        if (b->state == BufferState::freed) strcpy(name, "freed ");
        strcat(name, b->name);
        note.text("buffer", name).number("offset", p - b->start).number("bytes", static_cast<long long>(b->bytes));
        if (b->line) note.number("buffer_line", b->line);
    } else {
        note.text("buffer", "").number("offset", 0).number("bytes", 0);
    }
}

const char *access_name(Access a) { return a == Access::read ? "read" : a == Access::write ? "write" : "exec"; }

void on_memory_fault(int, siginfo_t *info, void *context) {
    auto *u = static_cast<const ucontext_t *>(context);
    uint64_t address = reinterpret_cast<uint64_t>(info->si_addr), pc = program_counter(u);
    Access access = address == pc ? Access::exec : is_write(u) ? Access::write : Access::read;

    if (access == Access::write) {
        Buffer *b = nearest_buffer(info->si_addr);
        auto *a = static_cast<uint8_t *>(info->si_addr);
        if (b && b->judge_owned && b->state == BufferState::live && a >= b->slot && a < b->slot + b->slot_bytes) {
            // Two threads may get here for one buffer; the second finds it writable and just retries.
            if (b->read_only) {
                Note note("readonly_write");
                note.text("access", "write").address("address", address);
                add_place(note, u);
                add_buffer(note, address, u);
                note.send();
                make_writable(*b);
            }
            return;
        }
    }

    Note note("fault");
    bool writes;
    bool misaligned = misaligned_access(info, u, &address, &writes);
    if (misaligned) access = writes ? Access::write : Access::read;
    note.text("access", access_name(access)).address("address", address);
    if (misaligned) note.number("misaligned", 1); // 716 on a GPU; the address itself may be valid
    add_place(note, u);
    add_buffer(note, address, u);
    note.send_final();
    _exit(exit_fault);
}

void on_end_signal(int signal, siginfo_t *, void *context) {
    Note note("signal");
    note.number("signal", signal);
    add_place(note, static_cast<const ucontext_t *>(context));
    note.send_final();
    _exit(128 + signal);
}

// The judge's time limit. The signal may reach any OS thread; pass it on to one that runs a kernel.
void on_stop(int signal, siginfo_t *, void *context) {
    static std::atomic<bool> passed_on{false};
    if (!kernel_worker() && current_launch() && !passed_on.exchange(true))
        for (Worker *w = first_worker(); w; w = w->next_worker)
            if (w->block && w != this_worker) {
                pthread_kill(w->thread, signal);
                return;
            }
    Note note("stopped");
    add_place(note, static_cast<const ucontext_t *>(context), true);
    note.send_final();
    _exit(128 + signal);
}

// What the compiler passes of an access whose address is no multiple of its type's alignment.
struct Misalignment {
    const char *file;
    uint32_t line, column;
    const void *type;
    unsigned char log_alignment, kind; // kind 1: a store
};

// A GPU faults there (716), and x86 only for some instructions. Host code may do so on either.
void on_misaligned(const Misalignment *what, uint64_t address, uint64_t return_address) {
    Worker *w = kernel_worker();
    const uint64_t widest = 16; // bytes a GPU accesses at once: an alignas beyond them is nothing to it
    uint64_t alignment = 1ull << what->log_alignment;
    if (!w || address % (alignment < widest ? alignment : widest) == 0) return;
    Note note("fault");
    note.text("access", access_name(what->kind == 1 ? Access::write : Access::read)).address("address", address);
    note.number("misaligned", 1);
    uint64_t offset = image_offset(return_address - 1); // within the call, so that its line is the access's
    if (offset) note.address("pc", offset);
    else note.text("pc", "");
    note.number("host", 0).text("kernel", w->launch->kernel.name);
    note.dim("block", blockIdx).dim("thread", threadIdx).number("launch_line", w->launch->kernel.line);
    add_buffer(note, address, nullptr);
    note.send_final();
    _exit(exit_fault);
}

int handle(int signal, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK; // the fault may be that the stack is full
    sigfillset(&action.sa_mask);
    return sigaction(signal, &action, nullptr);
}

} // namespace

int install_fault_handlers() {
    int failed = handle(SIGSEGV, on_memory_fault) | handle(SIGBUS, on_memory_fault) | handle(SIGTERM, on_stop);
    const int ends[] = {SIGFPE, SIGABRT, SIGILL, SIGTRAP, SIGSYS};
    for (int signal : ends) failed |= handle(signal, on_end_signal);
    return failed ? -1 : 0;
}

} // namespace emu

// The names under which -fsanitize=alignment calls it.
extern "C" {
void __ubsan_handle_type_mismatch_v1(const emu::Misalignment *what, uint64_t address) {
    emu::on_misaligned(what, address, reinterpret_cast<uint64_t>(__builtin_return_address(0)));
}
void __ubsan_handle_type_mismatch_v1_abort(const emu::Misalignment *what, uint64_t address) {
    emu::on_misaligned(what, address, reinterpret_cast<uint64_t>(__builtin_return_address(0)));
}
}
