// The launch of the number given; a good one last, to see that nothing sticks.
#include "detail/device_model.h"
__global__ void k(float* out) { if (out) out[0] += 1; }
template <int N> __global__ void fixed(float* out) {
    __shared__ float s[N];
    s[threadIdx.x] = 1;
    __syncthreads();
    out[0] += s[0];
}
__global__ void extra(float* out) {
    extern __shared__ float s[];
    s[threadIdx.x] = 1;
    out[0] += s[0];
}
extern "C" void judge_entry(void* const* a) {
    float* out = *(float**)a[0];
    int zero = 0;
    switch (*(int*)a[1]) {
    case 0: k<<<1, dim3(64, 64)>>>(out); break;
    case 1: k<<<1, dim3(1, 1, 65)>>>(out); break;
    case 2: k<<<dim3(1, 70000), 1>>>(out); break;
    case 3: k<<<zero, 256>>>(out); break;
    case 4: k<<<1, zero>>>(out); break;
    case 5: k<<<1, -1>>>(out); break;
    case 6: extra<<<1, 1, 49 * 1024>>>(out); break;
    case 7: emu_allow_dynamic_shared((void*)extra, 100 * 1024); extra<<<1, 1, 100 * 1024>>>(out); return;
    case 8: fixed<13 * 1024><<<1, 1>>>(out); break;
    case 9: emu_allow_dynamic_shared((void*)extra, 100 * 1024); extra<<<1, 1, 101 * 1024>>>(out); break;
    case 10: fixed<12 * 1024><<<1, 1>>>(out); return;
    case 11: extra<<<1, 1, 228 * 1024>>>(out); break;
    case 12: k<<<2147483647, 1024>>>(nullptr); break;
    }
    if (!*(int*)a[2]) return;
    emu_last_error(1); // the submission fetches the error itself
    k<<<1, 1>>>(out);
}
