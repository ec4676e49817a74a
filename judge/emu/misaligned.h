// Accesses that fault because their address is no multiple of their size (x86-64).
#pragma once
#include <stdint.h>
#include <signal.h>
#include <ucontext.h>

namespace emu {

// x86 reports a misaligned vector access as a general protection fault without an address. Decode the
// instruction at the program counter: true, with the address and the direction, if that is what it was.
bool misaligned_access(const siginfo_t *info, const ucontext_t *u, uint64_t *address, bool *write);

} // namespace emu
