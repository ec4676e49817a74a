// min and max in the global namespace, with the very overloads that nvcc has: mixed signedness
// gives unsigned, float with double gives double, and max(0, 1.0f) is ambiguous here too.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/min_max.h is internal: include <cuda_runtime.h>"
#endif

#define EMU_MIN_MAX(result, type_a, type_b)                                                        \
    constexpr result min(type_a a, type_b b) { return (result)a < (result)b ? (result)a : (result)b; } \
    constexpr result max(type_a a, type_b b) { return (result)a > (result)b ? (result)a : (result)b; }

EMU_MIN_MAX(int, int, int)
EMU_MIN_MAX(unsigned int, unsigned int, unsigned int)
EMU_MIN_MAX(unsigned int, int, unsigned int)
EMU_MIN_MAX(unsigned int, unsigned int, int)
EMU_MIN_MAX(long, long, long)
EMU_MIN_MAX(unsigned long, unsigned long, unsigned long)
EMU_MIN_MAX(unsigned long, long, unsigned long)
EMU_MIN_MAX(unsigned long, unsigned long, long)
EMU_MIN_MAX(long long, long long, long long)
EMU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
EMU_MIN_MAX(unsigned long long, long long, unsigned long long)
EMU_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef EMU_MIN_MAX

// A NaN loses against a number, as in fminf. The plain selection is several times faster than
// the call of libm, which the compiler may not inline.
#define EMU_MIN_MAX(result, type_a, type_b)                                                        \
    constexpr result min(type_a a, type_b b) { return (b != b || a < b) ? (result)a : (result)b; } \
    constexpr result max(type_a a, type_b b) { return (b != b || a > b) ? (result)a : (result)b; }

EMU_MIN_MAX(float, float, float)
EMU_MIN_MAX(double, double, double)
EMU_MIN_MAX(double, float, double)
EMU_MIN_MAX(double, double, float)
#undef EMU_MIN_MAX

inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
