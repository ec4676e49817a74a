// 8-bit floating point: E4M3 (no infinity, largest 448) and E5M2 (as half with two fraction bits).
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"

#include "detail/fp8.h"
