// The pipeline primitives; the classes of namespace nvcuda::experimental are not here.
#pragma once
#pragma GCC system_header
#include "cuda_pipeline_primitives.h"
