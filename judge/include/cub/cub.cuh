// CUB on the CPU backend: the collectives of warps and blocks, and the device-wide algorithms that submissions
// use. Not the whole library: what is missing does not compile.
#pragma once
#pragma GCC system_header
#include "../cuda_runtime.h"

#define CUB_VERSION 200800  // the last that has cub::Sum and cub::CountingInputIterator

#include "../detail/cub_basics.h"
#include "../detail/cub_block.h"
#include "../detail/cub_device.h"
#include "../detail/cub_sort.h"
