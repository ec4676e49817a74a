// 8-bit floats for the tests: every conversion as a C function. Compiled with the CPU backend's headers or,
// where nvcc is, with NVIDIA's, whose functions run on the host as well.
#include <cuda_fp8.h>

extern "C" {
// to[i] = fp8 of from[i]; kind 0: E4M3, 1: E5M2
void narrow(const double* from, unsigned char* to, long count, int kind, int saturate)
{
    for (long i = 0; i < count; i++)
        to[i] = __nv_cvt_double_to_fp8(from[i], saturate ? __NV_SATFINITE : __NV_NOSAT, kind ? __NV_E5M2 : __NV_E4M3);
}
void widen(const unsigned char* from, float* to, long count, int kind)
{
    for (long i = 0; i < count; i++) {
        __nv_fp8_e4m3 a;
        __nv_fp8_e5m2 b;
        a.__x = b.__x = from[i];
        to[i] = kind ? float(b) : float(a);
    }
}
// Pairs and quadruples give their members in order: eight bytes, then what they are as floats.
void together(unsigned char* bytes, float* values)
{
    const float4 x = {1.0f, -2.5f, 1000.0f, 0.01f};
    const __nv_fp8x4_e4m3 a(x);
    const __nv_fp8x4_e5m2 b(x);
    __builtin_memcpy(bytes, &a, 4);
    __builtin_memcpy(bytes + 4, &b, 4);
    const float4 y = float4(a), z = float4(b);
    __builtin_memcpy(values, &y, 16);
    __builtin_memcpy(values + 4, &z, 16);
}
}
