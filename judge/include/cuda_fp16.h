// half and half2.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

#include "detail/narrow_float.h"

#include "detail/half.h"
