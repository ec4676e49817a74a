// Lane 0 waits at the barrier of line 5; the others wait for it in the shuffle of line 6.
#include "detail/device_model.h"
__global__ void stuck(float* out) {
    if (threadIdx.x == 0)
        __syncthreads();
    out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 0);
    __syncthreads();
}
extern "C" void judge_entry(void* const* a) { stuck<<<1, 32>>>(*(float**)a[0]); }
