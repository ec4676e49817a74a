// __pipeline_memcpy_async and its like: cp.async as functions.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

#include "detail/async_copy.h"

// The last `zeros` bytes of the copy are not read but 0.
inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0,
                                    unsigned line = __builtin_LINE())
{
    emu::start_copy(to, from, uint32_t(bytes), uint32_t(bytes - zeros), line);
}
inline void __pipeline_commit() { emu_async_commit(); }
inline void __pipeline_wait_prior(size_t groups_left) { emu::wait_for_copies(uint32_t(groups_left)); }
