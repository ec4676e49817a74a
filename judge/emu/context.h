// Switching between the contexts (a stack and its saved registers) of one OS thread.
#pragma once

extern "C" {
// Save the caller's registers on its stack, leave its stack pointer in *save, continue at `to`.
void emu_context_switch(void **save, void *to);
// First instruction of a new context; context_prepare arranges for a switch to land here.
void emu_context_start(void);
}

namespace emu {

// A context that calls entry(argument) on the stack that ends at `top` (16-byte aligned). entry must
// not return. The frame mirrors what emu_context_switch saves (context_switch.S).
inline void *context_prepare(void *top, void (*entry)(void *), void *argument) {
#if defined(__x86_64__)
    // r15 r14 r13 r12 rbx rbp, return address. After `ret` rsp is top - 64: 16-byte aligned, so that
    // the call in emu_context_start enters `entry` as the ABI demands (SSE spills fault otherwise).
    void **frame = reinterpret_cast<void **>(top) - 8 - 7;
    frame[0] = frame[1] = frame[4] = frame[5] = nullptr;
    frame[2] = reinterpret_cast<void *>(entry); // r13
    frame[3] = argument;                        // r12
    frame[6] = reinterpret_cast<void *>(&emu_context_start);
#elif defined(__aarch64__)
    // x29 x30, x19..x28, d8..d15: 20 registers. Not yet run on such a machine.
    void **frame = reinterpret_cast<void **>(top) - 8 - 20;
    for (int i = 0; i < 20; i++) frame[i] = nullptr;
    frame[1] = reinterpret_cast<void *>(&emu_context_start); // x30, the return address
    frame[2] = argument;                                     // x19
    frame[3] = reinterpret_cast<void *>(entry);              // x20
#else
#error "the CPU backend switches contexts on x86-64 and AArch64 only; see context_switch.S"
#endif
    return frame;
}

} // namespace emu
