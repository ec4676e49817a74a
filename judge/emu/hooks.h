// Where a checking build listens. The fast build compiles these to nothing, and so does one that defines
// EMU_LOCKSTEP (lanes that advance together, lockstep.cpp) but for one; one that defines EMU_CHECK (races, bounds,
// initialised bits over a shadow memory) supplies them in check.cpp.
#pragma once
#include "worker.h"

namespace emu {

#if defined(EMU_CHECK)
void on_launch(Launch &launch);
void on_block_start(Worker &w, Block &b);
void on_block_end(Worker &w, Block &b);
void on_barrier(Worker &w, Block &b);                            // all have arrived
void on_warp_meeting(Worker &w, Block &b, int warp, unsigned lanes); // these lanes have met
// Lane `lane` has read what lane `source`, which takes no part, holds.
void on_inactive_source(Worker &w, Block &b, int warp, int lane, int source, unsigned line);
void on_async_copy(Block &b, void *to, size_t bytes); // asked for: it has not landed
void on_grid_complete();            // the last block has arrived at the grid barrier
void on_grid_passed(Block &b);      // a thread goes on behind it
void on_buffer(void *start, size_t bytes, const char *name, bool initialised);
void on_free(void *start);
void on_attach();                   // a submission was loaded
void on_call_end();
void on_api_write(void *start, size_t bytes); // cudaMemcpy, cudaMemset
void on_managed(void *start);       // host code may use this buffer
void on_registered(const void *start, size_t bytes); // kernels may use this memory of the host; 0: no longer
#else
inline void on_launch(Launch &) {}
#if defined(EMU_LOCKSTEP)
void on_block_start(Worker &w, Block &b);
#else
inline void on_block_start(Worker &, Block &) {}
#endif
inline void on_block_end(Worker &, Block &) {}
inline void on_barrier(Worker &, Block &) {}
inline void on_warp_meeting(Worker &, Block &, int, unsigned) {}
inline void on_inactive_source(Worker &, Block &, int, int, int, unsigned) {}
inline void on_async_copy(Block &, void *, size_t) {}
inline void on_grid_complete() {}
inline void on_grid_passed(Block &) {}
inline void on_buffer(void *, size_t, const char *, bool) {}
inline void on_free(void *) {}
inline void on_attach() {}
inline void on_call_end() {}
inline void on_api_write(void *, size_t) {}
inline void on_managed(void *) {}
inline void on_registered(const void *, size_t) {}
#endif

} // namespace emu
