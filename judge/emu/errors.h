// CUDA error numbers that the runtime itself sets, and the error state of the process.
#pragma once
#include "emu.h"

namespace emu {

enum Error {
    success = 0,
    invalid_value = 1,
    memory_allocation = 2,
    illegal_address = 700,
    launch_timeout = 702,
    launch_failure = 719,
    not_supported = 801,
};

void reset_errors(); // a new call starts with a working device

} // namespace emu
