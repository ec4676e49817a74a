// cudaMalloc's buffers: poison, overruns, use after free, double free, the limit.
#include "detail/device_model.h"
__global__ void store(float* p, int i) { p[i] = 1; }
__global__ void load(const float* p, int i, float* out) { out[0] = p[i] != p[i] ? 77 : p[i]; }
extern "C" void judge_entry(void* const* a) {
    float *out = *(float**)a[0], *first = nullptr, *second = nullptr;
    void* big = nullptr;
    emu_malloc((void**)&first, 5 * sizeof(float), 10);
    emu_malloc((void**)&second, 4 * sizeof(float), 11);
    switch (*(int*)a[1]) {
    case 0: load<<<1, 1>>>(first, 3, out); break;
    case 1: store<<<1, 1>>>(second, 4); break;
    case 2: store<<<1, 1>>>(first, 6); break; // in the slack before the guard page
    case 3: emu_free(second, 16); load<<<1, 1>>>(second, 0, out); break;
    case 4: emu_free(first, 17); out[0] = emu_free(first, 17); break;
    case 5: out[0] = emu_malloc(&big, 1 << 20, 18); break;
    case 6: out[0] = emu_free(out, 19); break;
    case 7: out[0] = emu_check_range(second, 20, "cudaMemcpy", 20); return;
    }
    emu_free(first, 22);
    if (*(int*)a[1] != 3) emu_free(second, 23);
}
