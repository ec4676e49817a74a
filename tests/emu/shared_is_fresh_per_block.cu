// Static and dynamic shared memory hold NaNs at the start of every block, not what the last one left.
#include "detail/device_model.h"
__global__ void look(float* out) {
    __shared__ float fixed[64];
    extern __shared__ float dynamic[];
    if (threadIdx.x == 0) {
        int nans = 0;
        for (int i = 0; i < 64; i++) nans += (fixed[i] != fixed[i]) + (dynamic[i] != dynamic[i]);
        out[blockIdx.x] = nans;
    }
    __syncthreads();
    fixed[threadIdx.x] = dynamic[threadIdx.x] = 1;
}
extern "C" void judge_entry(void* const* a) { look<<<3, 64, 64 * sizeof(float)>>>(*(float**)a[0]); }
