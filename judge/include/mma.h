// nvcuda::wmma: matrix fragments of a warp.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"

#include "detail/wmma.h"
