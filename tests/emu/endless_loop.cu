// Never ends; the judge stops it.
#include "detail/device_model.h"
__global__ void spin(volatile float* p) { while (threadIdx.x == 5 && p[0] == 0) {} }
extern "C" void judge_entry(void* const* a) { spin<<<8, 64>>>(*(float**)a[0]); }
