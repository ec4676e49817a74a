// Where a checking build listens. The fast build compiles these to nothing; a build that defines
// EMU_CHECK (races, bounds, initialised bits over a shadow memory) or EMU_LOCKSTEP (lanes that advance
// together) supplies them in its own file.
#pragma once
#include "worker.h"

namespace emu {

#if defined(EMU_CHECK)
void on_launch(Launch &launch);
void on_block_start(Worker &w, Block &b);
void on_block_end(Worker &w, Block &b);
void on_barrier(Worker &w, Block &b);                            // all have arrived
void on_warp_meeting(Worker &w, Block &b, int warp, unsigned lanes); // these lanes have met
void on_buffer(void *start, size_t bytes, const char *name, bool initialised);
void on_free(void *start);
#else
inline void on_launch(Launch &) {}
inline void on_block_start(Worker &, Block &) {}
inline void on_block_end(Worker &, Block &) {}
inline void on_barrier(Worker &, Block &) {}
inline void on_warp_meeting(Worker &, Block &, int, unsigned) {}
inline void on_buffer(void *, size_t, const char *, bool) {}
inline void on_free(void *) {}
#endif

} // namespace emu
