// Writes down in which order the threads and the blocks run.
#include "detail/device_model.h"
static int started = 0;
__global__ void note(float* threads, float* blocks) {
    if (threadIdx.x == 0) blocks[blockIdx.x] = started;
    if (blockIdx.x == 0) threads[threadIdx.x] = started;
    started++;
}
extern "C" void judge_entry(void* const* a) {
    started = 0;
    note<<<5, 70>>>(*(float**)a[0], *(float**)a[1]);
}
