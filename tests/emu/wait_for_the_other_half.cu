// Many barriers with work between them, in every order of threads: a reversal through shared memory.
#include "detail/device_model.h"
__global__ void scan(const float* in, float* out, int n) {
    __shared__ float s[2][1024];
    int t = threadIdx.x, from = 0;
    s[0][t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2, from ^= 1) {
        s[from ^ 1][t] = s[from][t] + (t >= step ? s[from][t - step] : 0);
        __syncthreads();
    }
    if (t < n) out[t] = s[from][t];
}
extern "C" void judge_entry(void* const* a) {
    scan<<<1, 1024>>>(*(const float**)a[0], *(float**)a[1], *(int*)a[2]);
}
