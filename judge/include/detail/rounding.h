// Arithmetic and conversions with an explicit rounding mode: __fadd_rz, __dmul_ru, __float2int_rd.
//
// The directed modes set the processor's rounding mode for one operation. Its operands come from where the
// compiler cannot see and its result is volatile, so that it stays between the two changes of mode and is not
// taken for the same operation in another mode. Slow, rare and right. Macros, not templates: those that a header
// asks for are instantiated anew in each build.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/rounding.h is internal: include <cuda_runtime.h>"
#endif

namespace emu {

// float or double to integer: out of range gives the nearest end of the range. NaN gives 0 where
// source and result have at most 32 bits, and only the top bit set otherwise, as cvt does.
template <class Integer, class Float>
inline Integer saturating_integer(Float integral)
{
    using limits = std::numeric_limits<Integer>;
    if (integral != integral) {
        if (sizeof(Float) <= 4 && sizeof(Integer) <= 4) return 0;
        return Integer(1ull << (8 * sizeof(Integer) - 1));
    }
    if (integral <= Float(limits::min())) return limits::min();
    if (integral >= Float(limits::max())) return limits::max();
    return Integer(integral);
}

}  // namespace emu

// Each arithmetic operation in four modes. Round to nearest is the compiler's own operation.
// operands: for each parameter EMU_UNSEEN.
#define EMU_DIRECTED(type, name, parameters, operands, value)                                      \
    EMU_IN_MODE(FE_TOWARDZERO, type, name##_rz, parameters, operands, value)                       \
    EMU_IN_MODE(FE_DOWNWARD, type, name##_rd, parameters, operands, value)                         \
    EMU_IN_MODE(FE_UPWARD, type, name##_ru, parameters, operands, value)
#define EMU_IN_MODE(mode, type, name, parameters, operands, value)                                 \
    inline type name parameters                                                                    \
    {                                                                                              \
        const int before = std::fegetround();                                                      \
        std::fesetround(mode);                                                                     \
        __asm__ volatile("" : EMU_UNPACK operands);                                                \
        volatile type result = value;                                                              \
        std::fesetround(before);                                                                   \
        return result;                                                                             \
    }
#define EMU_UNSEEN(operand) "+m"(operand)
#define EMU_UNPACK(...) __VA_ARGS__

// The nearest forms are never merged into a fused multiply-add: that is what they are used for.
#define EMU_NEAREST(type, name, parameters, value)                                                 \
    inline type name##_rn parameters                                                               \
    {                                                                                              \
        type result = value;                                                                       \
        EMU_KEEP_APART(result);                                                                    \
        return result;                                                                             \
    }
#if defined(__x86_64__)
#define EMU_KEEP_APART(value) __asm__("" : "+x"(value))
#elif defined(__aarch64__)
#define EMU_KEEP_APART(value) __asm__("" : "+w"(value))
#else
#define EMU_KEEP_APART(value) __asm__("" : "+m"(value))
#endif

#define EMU_BINARY(type, name, op)                                                                 \
    EMU_NEAREST(type, name, (type x, type y), x op y)                                              \
    EMU_DIRECTED(type, name, (type x, type y), (EMU_UNSEEN(x), EMU_UNSEEN(y)), x op y)

EMU_BINARY(float, __fadd, +)
EMU_BINARY(float, __fsub, -)
EMU_BINARY(float, __fmul, *)
EMU_BINARY(float, __fdiv, /)
EMU_BINARY(double, __dadd, +)
EMU_BINARY(double, __dsub, -)
EMU_BINARY(double, __dmul, *)
EMU_BINARY(double, __ddiv, /)
#undef EMU_BINARY

#define EMU_UNARY(type, name, value)                                                               \
    EMU_NEAREST(type, name, (type x), value)                                                       \
    EMU_DIRECTED(type, name, (type x), (EMU_UNSEEN(x)), type(value))

EMU_UNARY(float, __frcp, 1.0f / x)
EMU_UNARY(float, __fsqrt, std::sqrt(x))
EMU_UNARY(double, __drcp, 1.0 / x)
EMU_UNARY(double, __dsqrt, std::sqrt(x))
#undef EMU_UNARY

inline float __frsqrt_rn(float x) { return float(1.0 / std::sqrt(double(x))); }

#define EMU_FMA(type, name)                                                                        \
    inline type name##_rn(type x, type y, type z) { return std::fma(x, y, z); }                    \
    EMU_DIRECTED(type, name, (type x, type y, type z),                                             \
                 (EMU_UNSEEN(x), EMU_UNSEEN(y), EMU_UNSEEN(z)), std::fma(x, y, z))

EMU_FMA(float, __fmaf)
EMU_FMA(float, __fmaf_ieee)
EMU_FMA(double, __fma)
#undef EMU_FMA

// Floating point to integer.
#define EMU_TO_INTEGER(name, type, integer)                                                        \
    inline integer name##_rn(type x) { return emu::saturating_integer<integer>(std::nearbyint(x)); } \
    inline integer name##_rz(type x) { return emu::saturating_integer<integer>(std::trunc(x)); }   \
    inline integer name##_rd(type x) { return emu::saturating_integer<integer>(std::floor(x)); }   \
    inline integer name##_ru(type x) { return emu::saturating_integer<integer>(std::ceil(x)); }

EMU_TO_INTEGER(__float2int, float, int)
EMU_TO_INTEGER(__float2uint, float, unsigned int)
EMU_TO_INTEGER(__float2ll, float, long long)
EMU_TO_INTEGER(__float2ull, float, unsigned long long)
EMU_TO_INTEGER(__double2int, double, int)
EMU_TO_INTEGER(__double2uint, double, unsigned int)
EMU_TO_INTEGER(__double2ll, double, long long)
EMU_TO_INTEGER(__double2ull, double, unsigned long long)
#undef EMU_TO_INTEGER

// Integer to floating point, and double to float.
#define EMU_CONVERSION(name, to, source)                                                           \
    inline to name##_rn(source x) { return to(x); }                                                \
    EMU_DIRECTED(to, name, (source x), (EMU_UNSEEN(x)), to(x))

EMU_CONVERSION(__int2float, float, int)
EMU_CONVERSION(__uint2float, float, unsigned int)
EMU_CONVERSION(__ll2float, float, long long)
EMU_CONVERSION(__ull2float, float, unsigned long long)
EMU_CONVERSION(__ll2double, double, long long)
EMU_CONVERSION(__ull2double, double, unsigned long long)
EMU_CONVERSION(__double2float, float, double)
#undef EMU_CONVERSION

inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned int x) { return x; }

#undef EMU_DIRECTED
#undef EMU_IN_MODE
#undef EMU_UNSEEN
#undef EMU_NEAREST
#undef EMU_UNPACK
#undef EMU_KEEP_APART
