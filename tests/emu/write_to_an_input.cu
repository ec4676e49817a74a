// A write to a read-only array is noted, once, and goes through: the judge's comparison decides.
#include "detail/device_model.h"
__global__ void negate(float* in, float* out) {
    out[threadIdx.x] = in[threadIdx.x] * 2;
    in[threadIdx.x] = -1;
}
extern "C" void judge_entry(void* const* a) { negate<<<1, 4>>>(*(float**)a[0], *(float**)a[1]); }
