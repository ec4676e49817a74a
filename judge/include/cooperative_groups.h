// cooperative_groups: groups of threads as objects.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

#include "detail/cooperative_groups.h"
