// __nv_fp8_e4m3, __nv_fp8_e5m2 and their pairs and quadruples.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/fp8.h is internal: include <cuda_fp8.h>"
#endif

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace emu {

// sign, exponent_bits, fraction_bits; `largest` is the greatest finite pattern, `nan` the one that is given.
template <int exponent_bits_, int fraction_bits_, unsigned largest_, unsigned infinity_>
struct fp8_format {
    static constexpr int fraction_bits = fraction_bits_, bias = (1 << (exponent_bits_ - 1)) - 1;
    static constexpr unsigned largest = largest_, infinity = infinity_, nan = 0x7F;

    static double widen(unsigned bits)
    {
        const unsigned magnitude = bits & 0x7F;
        double value;
        if (magnitude > largest)
            value = magnitude == infinity ? __builtin_inf() : __builtin_nan("");
        else if (magnitude < 1u << fraction_bits)  // subnormal
            value = __builtin_ldexp(double(magnitude), 1 - bias - fraction_bits);
        else
            value = __builtin_ldexp(double((magnitude & ((1u << fraction_bits) - 1)) | 1u << fraction_bits),
                                    int(magnitude >> fraction_bits) - bias - fraction_bits);
        return bits & 0x80 ? -value : value;
    }

    // To nearest, ties to even. What rounds beyond the largest number becomes that, or infinity or NaN.
    static unsigned char nearest(double value, bool saturate)
    {
        if (value != value) return nan;
        const unsigned sign = __builtin_signbit(value) ? 0x80 : 0;
        const double size = __builtin_fabs(value);
        const unsigned beyond = saturate ? largest : infinity != 0 ? infinity : nan;
        if (size - size != 0) return (unsigned char)(sign | beyond);
        int exponent = size == 0 ? 1 - bias : __builtin_ilogb(size);
        if (exponent < 1 - bias) exponent = 1 - bias;
        if (exponent > bias + 2) return (unsigned char)(sign | beyond);
        // In units of the last place the numbers of one exponent are whole, and rint rounds ties to even.
        const double units = __builtin_rint(__builtin_ldexp(size, fraction_bits - exponent));
        const unsigned bits = unsigned(units) + (unsigned(exponent + bias - 1) << fraction_bits);
        return (unsigned char)(sign | (bits > largest ? beyond : bits));
    }
};
using e4m3_format = fp8_format<4, 3, 0x7E, 0>;
using e5m2_format = fp8_format<5, 2, 0x7B, 0x7C>;

}  // namespace emu

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    const bool saturate = saturation == __NV_SATFINITE;
    return kind == __NV_E4M3 ? emu::e4m3_format::nearest(x, saturate) : emu::e5m2_format::nearest(x, saturate);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8(x, saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8(float(__half(x)), saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8(float(__nv_bfloat16(x)), saturation, kind);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    return __half(float(kind == __NV_E4M3 ? emu::e4m3_format::widen(x) : emu::e5m2_format::widen(x)));
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    return __nv_fp8x2_storage_t(__nv_cvt_float_to_fp8(x.x, saturation, kind) |
                                __nv_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t kind)
{
    return __nv_fp8x2_storage_t(__nv_cvt_halfraw_to_fp8({x.x}, saturation, kind) |
                                __nv_cvt_halfraw_to_fp8({x.y}, saturation, kind) << 8);
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind)
{
    return {__nv_cvt_fp8_to_halfraw((unsigned char)x, kind).x, __nv_cvt_fp8_to_halfraw((unsigned char)(x >> 8), kind).x};
}

// The types: explicit from every number, explicit to every number; saturating.
#define EMU_FP8(name, format, kind)                                                                  \
    struct alignas(1) name {                                                                         \
        __nv_fp8_storage_t __x;                                                                      \
                                                                                                     \
        name() = default;                                                                            \
        template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                        \
        explicit name(T x) : __x(emu::format::nearest(double(x), true)) {}                           \
        explicit name(__half x) : __x(emu::format::nearest(float(x), true)) {}                       \
        explicit name(__nv_bfloat16 x) : __x(emu::format::nearest(float(x), true)) {}                \
        explicit operator float() const { return float(emu::format::widen(__x)); }                   \
        explicit operator double() const { return emu::format::widen(__x); }                         \
        explicit operator __half() const { return __half(float(*this)); }                            \
        explicit operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }              \
        explicit operator bool() const { return (__x & 0x7F) != 0; }                                 \
        template <class T, class = std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> \
        explicit operator T() const { return emu::saturating_integer<T>(__builtin_truncf(float(*this))); } \
    };
EMU_FP8(__nv_fp8_e4m3, e4m3_format, __NV_E4M3)
EMU_FP8(__nv_fp8_e5m2, e5m2_format, __NV_E5M2)
#undef EMU_FP8

#define EMU_FP8X2(name, format, kind)                                                                \
    struct alignas(2) name {                                                                         \
        __nv_fp8x2_storage_t __x;                                                                    \
                                                                                                     \
        name() = default;                                                                            \
        explicit name(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}          \
        explicit name(double2 x)                                                                     \
            : __x(__nv_fp8x2_storage_t(emu::format::nearest(x.x, true) | emu::format::nearest(x.y, true) << 8)) {} \
        explicit name(__half2 x) : name(__half22float2(x)) {}                                        \
        explicit name(__nv_bfloat162 x) : name(__bfloat1622float2(x)) {}                             \
        explicit operator float2() const                                                             \
        {                                                                                            \
            return {float(emu::format::widen(__x & 0xFF)), float(emu::format::widen(__x >> 8))};     \
        }                                                                                            \
        explicit operator __half2() const { return __float22half2_rn(float2(*this)); }               \
    };
EMU_FP8X2(__nv_fp8x2_e4m3, e4m3_format, __NV_E4M3)
EMU_FP8X2(__nv_fp8x2_e5m2, e5m2_format, __NV_E5M2)
#undef EMU_FP8X2

#define EMU_FP8X4(name, pair)                                                                        \
    struct alignas(4) name {                                                                         \
        __nv_fp8x4_storage_t __x;                                                                    \
                                                                                                     \
        name() = default;                                                                            \
        explicit name(float4 x)                                                                      \
            : __x(pair(float2{x.x, x.y}).__x | __nv_fp8x4_storage_t(pair(float2{x.z, x.w}).__x) << 16) {} \
        explicit name(__half2 low, __half2 high) : __x(pair(low).__x | __nv_fp8x4_storage_t(pair(high).__x) << 16) {} \
        explicit operator float4() const                                                             \
        {                                                                                            \
            pair low, high;                                                                          \
            low.__x = __nv_fp8x2_storage_t(__x);                                                     \
            high.__x = __nv_fp8x2_storage_t(__x >> 16);                                              \
            const float2 a = float2(low), b = float2(high);                                          \
            return {a.x, a.y, b.x, b.y};                                                             \
        }                                                                                            \
    };
EMU_FP8X4(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
EMU_FP8X4(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)
#undef EMU_FP8X4
