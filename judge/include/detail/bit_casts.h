// Reinterpretation of bits: __float_as_int and its relatives.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/bit_casts.h is internal: include <cuda_runtime.h>"
#endif

namespace emu {

// std::bit_cast, which C++17 lacks.
template <class To, class From>
inline To bit_cast(const From& from)
{
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

}  // namespace emu

inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }

inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)high << 32 | (unsigned int)low);
}
