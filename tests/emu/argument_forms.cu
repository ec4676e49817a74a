// Launch arguments convert as in a call; templates deduce; structs and pointers to pointers pass.
#include "detail/device_model.h"
struct scale { float by; int times; };
__global__ void typed(float* out, float v, long n, scale s) { out[0] = v * n * s.by * s.times; }
template <class T, int N = 4> __global__ void deduced(T* out, const T (*)[N], T v = 3) { out[1] = v + N; }
template <class T> __global__ void explicit_one(T* out, T v) { out[2] = v; }
__global__ void defaults(float* out, float v = 8) { out[3] = v; }
extern "C" void judge_entry(void* const* a) {
    float* out = *(float**)a[0];
    static float rows[2][4];
    typed<<<1, 1>>>(out, 2, 3, scale{0.5f, 4});
    deduced<<<1, 1>>>(out, rows);
    explicit_one<float><<<1, 1>>>(out, 5);
    defaults<<<1, 1>>>(out);
    float six = 6;
    void* pointers[] = {&out, &six};
    ::emu::launch_pointers("defaults", __LINE__, defaults, ::emu::config(1, 1), pointers);
    out[4] = out[3];
}
