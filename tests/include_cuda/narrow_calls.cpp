// half and bfloat16 operations over arrays, for tests/test_include_narrow.py.
#include "cuda_bf16.h"

template <class T> T from_bits(uint16_t bits) { return emu::bit_cast<T>(bits); }
template <class T> uint16_t bits_of(T value) { return emu::bit_cast<uint16_t>(value); }

// The order of these lists is that of BINARY and UNARY in the test.
template <class T> T binary(int operation, T a, T b)
{
    switch (operation) {
    case 0: return __hadd(a, b);
    case 1: return __hsub(a, b);
    case 2: return __hmul(a, b);
    default: return __hdiv(a, b);
    }
}
template <class T> T unary(int operation, T a)
{
    switch (operation) {
    case 0: return hsqrt(a);
    case 1: return hrsqrt(a);
    case 2: return hrcp(a);
    case 3: return hexp(a);
    case 4: return hexp2(a);
    case 5: return hlog(a);
    case 6: return hlog2(a);
    case 7: return hlog10(a);
    case 8: return hsin(a);
    case 9: return hcos(a);
    case 10: return htanh(a);
    case 11: return hceil(a);
    case 12: return hfloor(a);
    case 13: return htrunc(a);
    default: return hrint(a);
    }
}

#define CALLS(name, T, from_float_in_mode)                                                         \
    void name##_widen(const uint16_t* a, float* out, long n)                                       \
    {                                                                                              \
        for (long i = 0; i < n; i++) out[i] = float(from_bits<T>(a[i]));                           \
    }                                                                                              \
    void name##_from_float(int mode, const float* a, uint16_t* out, long n)                        \
    {                                                                                              \
        for (long i = 0; i < n; i++) {                                                             \
            float x = a[i];                                                                        \
            T r = mode == 0 ? from_float_in_mode##_rn(x) : mode == 1 ? from_float_in_mode##_rz(x)  \
                : mode == 2 ? from_float_in_mode##_rd(x) : from_float_in_mode##_ru(x);             \
            out[i] = bits_of(r);                                                                   \
        }                                                                                          \
    }                                                                                              \
    void name##_from_double(const double* a, uint16_t* out, long n)                                \
    {                                                                                              \
        for (long i = 0; i < n; i++) out[i] = bits_of(T(a[i]));                                    \
    }                                                                                              \
    void name##_from_integer(const long long* a, uint16_t* out, long n)                            \
    {                                                                                              \
        for (long i = 0; i < n; i++) out[i] = bits_of(T(a[i]));                                    \
    }                                                                                              \
    void name##_binary(int operation, const uint16_t* a, const uint16_t* b, uint16_t* out, long n) \
    {                                                                                              \
        for (long i = 0; i < n; i++)                                                               \
            out[i] = bits_of(binary(operation, from_bits<T>(a[i]), from_bits<T>(b[i])));           \
    }                                                                                              \
    void name##_fma(const uint16_t* a, const uint16_t* b, const uint16_t* c, uint16_t* out, long n) \
    {                                                                                              \
        for (long i = 0; i < n; i++)                                                               \
            out[i] = bits_of(__hfma(from_bits<T>(a[i]), from_bits<T>(b[i]), from_bits<T>(c[i])));  \
    }                                                                                              \
    void name##_unary(int operation, const uint16_t* a, uint16_t* out, long n)                     \
    {                                                                                              \
        for (long i = 0; i < n; i++) out[i] = bits_of(unary(operation, from_bits<T>(a[i])));       \
    }

extern "C" {
CALLS(half, __half, __float2half)
CALLS(bfloat16, __nv_bfloat16, __float2bfloat16)

int half_in_hardware()
{
#if defined(__FLT16_MAX__) && (defined(__F16C__) || defined(__aarch64__))
    return 1;
#else
    return 0;
#endif
}
}
