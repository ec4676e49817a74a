// libcu++'s namespace cuda::std on the CPU backend: the host's C++ library under the other name.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cuda_std.h is internal: include <cuda/std/...>"
#endif
#include <cstddef>

namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
