// Recursion without an end, in a kernel or on the host; and a deep but finite one.
#include "detail/device_model.h"
__device__ __attribute__((noinline)) int deep(volatile int* p, int n) {
    volatile int local[32];
    local[n & 31] = n;
    if (n == 0) return *p;
    local[n & 31] = deep(p, n - 1); // used after the call, so that it cannot become a loop
    return local[n & 31];
}
__global__ void recurse(float* out, int n) {
    volatile int one = 1;
    __syncthreads();
    out[threadIdx.x] = deep(&one, n);
}
extern "C" void judge_entry(void* const* a) {
    int n = *(int*)a[1];
    volatile int one = 1;
    if (n >= 0) recurse<<<1, 64>>>(*(float**)a[0], n);
    else deep(&one, -n);
}
