// A part of cuda_runtime.h that submissions name by itself; here it is one with the rest.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
