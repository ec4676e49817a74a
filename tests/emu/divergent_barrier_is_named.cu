// Two places at once: line 6 and line 8.
#include "detail/device_model.h"
__global__ void diverge(float* out) {
    if (threadIdx.x < 32) {
        out[0] = 1;
        __syncthreads();
    } else {
        __syncthreads();
    }
}
__global__ void fine(float* out) { out[1] = 2; }
extern "C" void judge_entry(void* const* a) {
    if (*(int*)a[1]) diverge<<<2, 64>>>(*(float**)a[0]);
    fine<<<1, 1>>>(*(float**)a[0]);
}
