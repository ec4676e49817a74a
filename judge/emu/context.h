// Switching between the contexts (a stack and its registers) of one OS thread.
//
// context_switch(from, to) leaves the running context in `from` and continues `to`, behind the
// context_switch that stopped it. Floating-point control words are not switched: no kernel changes them.
#pragma once
#include <stdint.h>

extern "C" {
// First instructions of a new context: call the function that context_prepare was given.
__attribute__((visibility("hidden"))) void emu_context_start(void);
#if defined(__aarch64__)
__attribute__((visibility("hidden"))) void emu_context_switch(void **from_stack, void *to_stack);
#endif
}

namespace emu {

#if defined(__x86_64__)

// Everything else is on the context's stack, where the compiler saved it.
struct Context {
    void *stack, *frame, *code; // rsp, rbp, where to go on
};

// Inline and without call and ret on purpose: a ret to another stack's address is mispredicted every
// time. Inline, the processor's return stack stays in step, since the threads of a block switch at the
// same depth of the same code, and the jump is predictable. Nothing is written to the stack: the
// contexts of a block lie together, which the processor reads ahead, while stacks are far apart.
__attribute__((always_inline)) inline void context_switch(Context *from, const Context *to) {
    asm volatile("leaq 1f(%%rip), %%rax\n\t"
                 "movq %%rsp, (%0)\n\t"
                 "movq %%rbp, 8(%0)\n\t" // may be the frame pointer, so no clobber below can name it
                 "movq %%rax, 16(%0)\n\t"
                 "movq 16(%1), %%rax\n\t"
                 "movq (%1), %%rsp\n\t"
                 "movq 8(%1), %%rbp\n\t"
                 "jmpq *%%rax\n"
                 "1:"
                 : "+D"(from), "+S"(to)
                 :
                 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory",
                   "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                   "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#if defined(__AVX512F__)
                   , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
                   "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#endif
    );
}

// A context that calls entry(argument) on the stack that ends at `top` (a multiple of 16); entry must
// not return. The call happens at top - 16: 16-byte aligned, as the ABI demands (SSE spills fault
// otherwise).
inline Context context_prepare(void *top, void (*entry)(void *), void *argument) {
    void **frame = reinterpret_cast<void **>(top) - 4;
    frame[0] = argument; // popped by emu_context_start
    frame[1] = reinterpret_cast<void *>(entry);
    return {frame, nullptr, reinterpret_cast<void *>(&emu_context_start)};
}

#elif defined(__aarch64__) // run under QEMU only, not on a processor

struct Context {
    void *stack; // the registers lie on it
};

inline void context_switch(Context *from, const Context *to) { emu_context_switch(&from->stack, to->stack); }

inline Context context_prepare(void *top, void (*entry)(void *), void *argument) {
    void **frame = reinterpret_cast<void **>(top) - 20; // x29 x30, x19..x28, d8..d15
    for (int i = 0; i < 20; i++) frame[i] = nullptr;
    frame[1] = reinterpret_cast<void *>(&emu_context_start); // x30, where emu_context_switch returns to
    frame[2] = argument;                                     // x19
    frame[3] = reinterpret_cast<void *>(entry);              // x20
    return {frame};
}

#else
#error "the CPU backend switches contexts on x86-64 and AArch64 only"
#endif

} // namespace emu
