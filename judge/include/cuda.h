// The driver API is not offered; submissions include this header for CUDA_VERSION and by habit.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
