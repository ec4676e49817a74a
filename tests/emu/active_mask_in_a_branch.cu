// __activemask() is the lanes that took the branch, so it serves as the mask of a shuffle there.
#include "detail/device_model.h"
__global__ void branch(float* out) {
    int l = threadIdx.x;
    if (l % 4 == 0) {
        unsigned mask = __activemask();
        out[l] = __builtin_popcount(mask) * 100 + __shfl_sync(mask, l, 28);
    } else {
        out[l] = __builtin_popcount(__activemask());
    }
    __syncwarp();
    if (__activemask() != 0xffffffffu) out[l] = -1;
}
extern "C" void judge_entry(void* const* a) { branch<<<1, 32>>>(*(float**)a[0]); }
