// The first block never waits, the others do: stacks are taken when they are needed.
#include "detail/device_model.h"
__global__ void count(float* out) {
    __shared__ int total;
    if (blockIdx.x == 0) { out[0] = -1; return; }
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    __atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}
extern "C" void judge_entry(void* const* a) { count<<<4, 96>>>(*(float**)a[0]); }
