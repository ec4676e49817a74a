// Launches: the rest of the runtime needs to know only these.
#pragma once
#include "worker.h"

namespace emu {

void set_os_threads(int count);
void start_launches(uint64_t schedule); // of a new call
Launch *current_launch();               // null between launches; for the signal handlers

} // namespace emu
