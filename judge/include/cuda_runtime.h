// CUDA C++ on the CPU: what nvcc includes before every .cu file. detail/ has one header a subject.
#pragma once
#pragma GCC system_header
#ifndef JUDGE_CUDA_DOOR
#define JUDGE_CUDA_DOOR
#endif

#include "detail/predefined.h"
#include "detail/device_model.h"

#include "detail/vector_types.h"
#include "detail/min_max.h"
#include "detail/bit_casts.h"
#include "detail/integer_intrinsics.h"
#include "detail/simd_in_word.h"
#include "detail/math_functions.h"
#include "detail/fast_math.h"
#include "detail/rounding.h"
#include "detail/atomics.h"
#include "detail/memory_access.h"

#include "detail/math_constants.h"
#include "detail/error.h"
#include "detail/device_properties.h"
#include "detail/runtime_api.h"
#include "detail/unsupported.h"
