// __nv_bfloat16 and __nv_bfloat162.
#pragma once
#pragma GCC system_header
#include "cuda_fp16.h"

#include "detail/bfloat16.h"
