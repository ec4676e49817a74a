// __syncthreads_count, _and, _or, twice in a row, with a thread that has left.
#include "detail/device_model.h"
__global__ void vote(float* out) {
    int t = threadIdx.x;
    if (t == 99) return;
    int count = __syncthreads_count(t % 3 == 0), all = __syncthreads_and(t < 99), any = __syncthreads_or(t == 7);
    int none = __syncthreads_or(0);
    if (t == 98) { out[0] = count; out[1] = all != 0; out[2] = any != 0; out[3] = none; }
}
extern "C" void judge_entry(void* const* a) { vote<<<1, 100>>>(*(float**)a[0]); }
