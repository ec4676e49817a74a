// Taking the processor from a CUDA thread that does not give it up.
//
// A loop such as `while (*flag == 0);` over a volatile flag calls nothing of ours, yet waits for a thread
// that can run only if this one stops. So a thread that has used the processor for long is suspended
// from a timer signal, in the middle of its code, and goes on later.
#pragma once
#include "worker.h"

namespace emu {

int install_preemption();    // 0, or -1 with errno
void watch_blocks(Worker &w);  // this OS thread runs blocks from here on
void unwatch_blocks(Worker &w);

} // namespace emu
