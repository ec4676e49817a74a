// Only the lanes of the mask meet; exited lanes are not waited for.
#include "detail/device_model.h"
__global__ void reduce(float* out) {
    int l = threadIdx.x;
    if (l >= 20) return;
    int v = l;
    if (l < 8) for (int o = 4; o; o /= 2) v += __shfl_xor_sync(0xffu, v, o);
    __syncwarp();
    out[l] = v;
}
extern "C" void judge_entry(void* const* a) { reduce<<<1, 32>>>(*(float**)a[0]); }
