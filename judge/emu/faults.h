// Signals: what a submission's crash, or its end by the judge, tells.
#pragma once

namespace emu {

int install_fault_handlers(); // 0, or -1 with errno

} // namespace emu
