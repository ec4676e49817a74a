// The OS threads that share a launch's blocks.
#pragma once
#include "worker.h"

namespace emu {

void run_on_pool(Launch &launch); // returns when every block is done, or the launch has ended early

} // namespace emu
