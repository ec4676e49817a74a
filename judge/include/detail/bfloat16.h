// __nv_bfloat16: the top half of a float (1 sign, 8 exponent, 7 fraction bits), and its conversions.
// What it shares with half follows from narrow_functions.inc.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/bfloat16.h is internal: include <cuda_bf16.h>"
#endif

namespace emu {

struct bfloat16_format {
    static constexpr uint16_t infinity = 0x7F80, one = 0x3F80;
    static constexpr uint32_t tie_mask = 0x7FFF;
    // Not float: its exponents end where bfloat16's do, so products would be rounded twice there.
    using wide = double;

    static float widen(uint16_t bits) { return bit_cast<float>(uint32_t(bits) << 16); }
    static uint16_t nearest(float value)
    {
        const uint32_t bits = bit_cast<uint32_t>(value);
        if (value != value) return 0x7FFF;  // the device's NaN
        return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
    }
    static uint16_t nearest(double value) { return nearest(avoiding_false_tie(value, 0, tie_mask)); }
    static uint16_t rounded(double value, toward direction)
    {
        return round_bits<8, 7>(value, direction);
    }
};

}  // namespace emu

struct __nv_bfloat16_raw {
    unsigned short x;
};

struct alignas(2) __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    constexpr __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
    explicit __nv_bfloat16(__half value) : __nv_bfloat16(float(value)) {}
    __nv_bfloat16(float value) : __x(emu::bfloat16_format::nearest(value)) {}
    __nv_bfloat16(double value) : __x(emu::bfloat16_format::nearest(value)) {}
    __nv_bfloat16(short value) : __nv_bfloat16(float(value)) {}
    __nv_bfloat16(unsigned short value) : __nv_bfloat16(float(value)) {}
    __nv_bfloat16(int value) : __nv_bfloat16(double(value)) {}
    __nv_bfloat16(unsigned int value) : __nv_bfloat16(double(value)) {}
    __nv_bfloat16(long value) : __nv_bfloat16(emu::exact_or_sticky(value)) {}
    __nv_bfloat16(unsigned long value) : __nv_bfloat16(emu::exact_or_sticky(value)) {}
    __nv_bfloat16(long long value) : __nv_bfloat16(emu::exact_or_sticky(value)) {}
    __nv_bfloat16(unsigned long long value) : __nv_bfloat16(emu::exact_or_sticky(value)) {}

    operator float() const { return emu::bfloat16_format::widen(__x); }
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
    operator __nv_bfloat16_raw() const { return {__x}; }
    operator __nv_bfloat16_raw() const volatile { return {__x}; }

    __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) { __x = raw.x; return *this; }
    volatile __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) volatile { __x = raw.x; return *this; }
    volatile __nv_bfloat16& operator=(const volatile __nv_bfloat16_raw& raw) volatile { __x = raw.x; return *this; }
    __nv_bfloat16& operator=(float value) { return *this = __nv_bfloat16(value); }
    __nv_bfloat16& operator=(double value) { return *this = __nv_bfloat16(value); }
    __nv_bfloat16& operator=(short value) { return *this = __nv_bfloat16(value); }
    __nv_bfloat16& operator=(unsigned short value) { return *this = __nv_bfloat16(value); }
    __nv_bfloat16& operator=(int value) { return *this = __nv_bfloat16(value); }
    __nv_bfloat16& operator=(unsigned int value) { return *this = __nv_bfloat16(value); }
    __nv_bfloat16& operator=(long long value) { return *this = __nv_bfloat16(value); }
    __nv_bfloat16& operator=(unsigned long long value) { return *this = __nv_bfloat16(value); }

private:
    float truncated() const { return std::trunc(float(*this)); }
};

inline __half::__half(__nv_bfloat16 value) : __half(float(value)) {}

struct __nv_bfloat162_raw {
    unsigned short x, y;
};

struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    constexpr __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high) : x(low), y(high) {}
    __nv_bfloat162(const __nv_bfloat162_raw& raw)
        : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y})
    {
    }
    operator __nv_bfloat162_raw() const { return {x.__x, y.__x}; }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16_raw{bits}; }
inline __nv_bfloat16 __short_as_bfloat16(short bits) { return __nv_bfloat16_raw{(unsigned short)bits}; }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
inline short __bfloat16_as_short(__nv_bfloat16 h) { return short(h.__x); }

// Conversions with float and double.
inline float __bfloat162float(__nv_bfloat16 h) { return h; }
inline __nv_bfloat16 __float2bfloat16(float value) { return value; }
inline __nv_bfloat16 __double2bfloat16(double value) { return value; }
inline __nv_bfloat16 __float2bfloat16_rn(float value) { return value; }
inline __nv_bfloat16 __float2bfloat16_rz(float value)
{
    return __ushort_as_bfloat16(emu::bfloat16_format::rounded(value, emu::toward::zero));
}
inline __nv_bfloat16 __float2bfloat16_rd(float value)
{
    return __ushort_as_bfloat16(emu::bfloat16_format::rounded(value, emu::toward::down));
}
inline __nv_bfloat16 __float2bfloat16_ru(float value)
{
    return __ushort_as_bfloat16(emu::bfloat16_format::rounded(value, emu::toward::up));
}

#define EMU_NARROW __nv_bfloat16
#define EMU_NARROW2 __nv_bfloat162
#define EMU_FORMAT emu::bfloat16_format
#define EMU_FROM_BITS __ushort_as_bfloat16
#define EMU_NAME_TO(type, mode) __##type##2bfloat16_##mode
#define EMU_NAME_FROM(type, mode) __bfloat162##type##_##mode
#include "narrow_functions.inc"
#undef EMU_NARROW
#undef EMU_NARROW2
#undef EMU_FORMAT
#undef EMU_FROM_BITS
#undef EMU_NAME_TO
#undef EMU_NAME_FROM

// Pairs: the functions with "bfloat16" in their names.
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 both) { return {both, both}; }
inline __nv_bfloat162 __float2bfloat162_rn(float both) { return {__nv_bfloat16(both), __nv_bfloat16(both)}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high)
{
    return {__nv_bfloat16(low), __nv_bfloat16(high)};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 pair)
{
    return {__nv_bfloat16(pair.x), __nv_bfloat16(pair.y)};
}
inline float2 __bfloat1622float2(__nv_bfloat162 pair) { return {float(pair.x), float(pair.y)}; }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 pair) { return pair.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 pair) { return pair.y; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 pair) { return {pair.x, pair.x}; }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 pair) { return {pair.y, pair.y}; }
inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
