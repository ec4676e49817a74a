// __half: a 16-bit IEEE floating-point number (1 sign, 5 exponent, 10 fraction bits), and its
// conversions. What it shares with bfloat16 follows from narrow_functions.inc.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/half.h is internal: include <cuda_fp16.h>"
#endif

namespace emu {

struct half_format {
    static constexpr uint16_t infinity = 0x7C00, one = 0x3C00;
    static constexpr uint32_t tie_mask = 0xFFF;  // a tie has at most 11 fraction bits of float's 23
    using wide = float;  // sums, products, quotients and roots of halves round right through float

// These convert in hardware with F16C and on AArch64, where g++ 12 has no _Float16 in C++; elsewhere
// it would call slow library code.
#if defined(__aarch64__)
    using machine = __fp16;
#define EMU_MACHINE_HALF
#elif defined(__FLT16_MAX__) && defined(__F16C__)
    using machine = _Float16;
#define EMU_MACHINE_HALF
#endif
#ifdef EMU_MACHINE_HALF
#undef EMU_MACHINE_HALF
    static float widen(uint16_t bits) { return float(bit_cast<machine>(bits)); }
    // The processor would keep a NaN's payload; the device has one NaN. It matters to the judge, which
    // fills outputs with NaNs of its own and recognises those that nobody wrote.
    static uint16_t nearest(float value)
    {
        return value != value ? uint16_t(0x7FFF) : bit_cast<uint16_t>(machine(value));
    }
#else
    static float widen(uint16_t bits)
    {
        const uint32_t sign = uint32_t(bits & 0x8000) << 16;
        const uint32_t magnitude = bits & 0x7FFFu;
        if (magnitude >= infinity) {
            const uint32_t quiet = magnitude > infinity ? 0x400000u : 0u;  // as the processor does
            return bit_cast<float>(sign | 0x7F800000u | quiet | magnitude << 13);
        }
        if (magnitude < 0x400u) {  // subnormal: multiples of 2^-24
            const float value = float(magnitude) * 0x1p-24f;
            return sign ? -value : value;
        }
        return bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
    }
    static uint16_t nearest(float value) { return round_bits<5, 10>(value, toward::nearest); }
#endif
    static uint16_t nearest(double value) { return nearest(avoiding_false_tie(value, 0, tie_mask)); }
    static uint16_t rounded(double value, toward direction) { return round_bits<5, 10>(value, direction); }
};

}  // namespace emu

struct __half_raw {
    unsigned short x;
};
struct __nv_bfloat16;

struct alignas(2) __half {
    unsigned short __x;

    __half() = default;
    constexpr __half(const __half_raw& raw) : __x(raw.x) {}
    explicit __half(__nv_bfloat16 value);  // defined by cuda_bf16.h
    __half(float value) : __x(emu::half_format::nearest(value)) {}
    __half(double value) : __x(emu::half_format::nearest(value)) {}
    __half(short value) : __half(float(value)) {}
    __half(unsigned short value) : __half(float(value)) {}
    // Every integer that float rounds is beyond the largest half, so float decides nothing.
    __half(int value) : __half(float(value)) {}
    __half(unsigned int value) : __half(float(value)) {}
    __half(long value) : __half(float(value)) {}
    __half(unsigned long value) : __half(float(value)) {}
    __half(long long value) : __half(float(value)) {}
    __half(unsigned long long value) : __half(float(value)) {}

    operator float() const { return emu::half_format::widen(__x); }
    operator signed char() const { return emu::saturating_integer<signed char>(truncated()); }
    operator unsigned char() const { return emu::saturating_integer<unsigned char>(truncated()); }
    operator char() const { return emu::saturating_integer<char>(truncated()); }
    operator short() const { return emu::saturating_integer<short>(truncated()); }
    operator unsigned short() const { return emu::saturating_integer<unsigned short>(truncated()); }
    operator int() const { return emu::saturating_integer<int>(truncated()); }
    operator unsigned int() const { return emu::saturating_integer<unsigned int>(truncated()); }
    operator long() const { return emu::saturating_integer<long>(truncated()); }
    operator unsigned long() const { return emu::saturating_integer<unsigned long>(truncated()); }
    operator long long() const { return emu::saturating_integer<long long>(truncated()); }
    operator unsigned long long() const
    {
        return emu::saturating_integer<unsigned long long>(truncated());
    }
    constexpr operator bool() const { return (__x & 0x7FFF) != 0; }
    operator __half_raw() const { return {__x}; }
    operator __half_raw() const volatile { return {__x}; }

    __half& operator=(const __half_raw& raw) { __x = raw.x; return *this; }
    volatile __half& operator=(const __half_raw& raw) volatile { __x = raw.x; return *this; }
    volatile __half& operator=(const volatile __half_raw& raw) volatile { __x = raw.x; return *this; }
    __half& operator=(float value) { return *this = __half(value); }
    __half& operator=(double value) { return *this = __half(value); }
    __half& operator=(short value) { return *this = __half(value); }
    __half& operator=(unsigned short value) { return *this = __half(value); }
    __half& operator=(int value) { return *this = __half(value); }
    __half& operator=(unsigned int value) { return *this = __half(value); }
    __half& operator=(long long value) { return *this = __half(value); }
    __half& operator=(unsigned long long value) { return *this = __half(value); }

private:
    float truncated() const { return std::trunc(float(*this)); }
};

struct __half2_raw {
    unsigned short x, y;
};

struct alignas(4) __half2 {
    __half x, y;

    __half2() = default;
    constexpr __half2(const __half& low, const __half& high) : x(low), y(high) {}
    __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    operator __half2_raw() const { return {x.__x, y.__x}; }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
inline __half __short_as_half(short bits) { return __half_raw{(unsigned short)bits}; }
inline unsigned short __half_as_ushort(__half h) { return h.__x; }
inline short __half_as_short(__half h) { return short(h.__x); }

// Conversions with float and double.
inline float __half2float(__half h) { return h; }
inline __half __float2half(float value) { return value; }
inline __half __double2half(double value) { return value; }
inline __half __float2half_rn(float value) { return value; }
inline __half __float2half_rz(float value)
{
    return __ushort_as_half(emu::half_format::rounded(value, emu::toward::zero));
}
inline __half __float2half_rd(float value)
{
    return __ushort_as_half(emu::half_format::rounded(value, emu::toward::down));
}
inline __half __float2half_ru(float value)
{
    return __ushort_as_half(emu::half_format::rounded(value, emu::toward::up));
}

#define EMU_NARROW __half
#define EMU_NARROW2 __half2
#define EMU_FORMAT emu::half_format
#define EMU_FROM_BITS __ushort_as_half
#define EMU_NAME_TO(type, mode) __##type##2half_##mode
#define EMU_NAME_FROM(type, mode) __half2##type##_##mode
#include "narrow_functions.inc"
#undef EMU_NARROW
#undef EMU_NARROW2
#undef EMU_FORMAT
#undef EMU_FROM_BITS
#undef EMU_NAME_TO
#undef EMU_NAME_FROM

// Pairs: the functions with "half" in their names.
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __halves2half2(__half low, __half high) { return {low, high}; }
inline __half2 __half2half2(__half both) { return {both, both}; }
inline __half2 __float2half2_rn(float both) { return {__half(both), __half(both)}; }
inline __half2 __floats2half2_rn(float low, float high) { return {__half(low), __half(high)}; }
inline __half2 __float22half2_rn(float2 pair) { return {__half(pair.x), __half(pair.y)}; }
inline float2 __half22float2(__half2 pair) { return {float(pair.x), float(pair.y)}; }
inline __half __low2half(__half2 pair) { return pair.x; }
inline __half __high2half(__half2 pair) { return pair.y; }
inline __half2 __low2half2(__half2 pair) { return {pair.x, pair.x}; }
inline __half2 __high2half2(__half2 pair) { return {pair.y, pair.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
