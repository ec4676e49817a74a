// The rules of a check build: what an access is held against, and what is said of it.
#pragma once
#include "shadow.h"

namespace emu {

// An access of the submission, before it happens. pc: where its call of the runtime returns to.
void check_access(const void *address, size_t bytes, bool write, uint8_t flags, const void *pc);
// An atomic operation that may order other accesses: a lock's, or any behind a fence.
void check_synchronise(const void *address, bool release, bool acquire, bool lock);
void check_fence();
// A function of the submission begins and ends; call: where it was called.
#if defined(EMU_LOCKSTEP)
void check_enter(const void *call);
void check_leave();
#else
inline void check_enter(const void *) {}
inline void check_leave() {}
#endif
// An index beyond an array whose size the compiler knows.
void check_index(const void *pc, const char *type, long index);

} // namespace emu
