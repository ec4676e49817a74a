// Limits of the emulated device, an H100 (CUDA C++ Programming Guide, "Compute Capabilities", 9.0).
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace emu {

constexpr int warp_size = 32;
constexpr unsigned max_threads = 1024; // a block
constexpr int max_warps = max_threads / warp_size;
constexpr unsigned max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
constexpr unsigned max_grid_x = 2147483647u, max_grid_y = 65535, max_grid_z = 65535;
constexpr size_t default_shared_bytes = 48 * 1024; // a block, without an opt-in
constexpr size_t opt_in_shared_bytes = 227 * 1024;

} // namespace emu
