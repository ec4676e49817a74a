// Complex numbers as float2 and double2.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// T: the real type; name: of the complex type; s: the letter that ends the functions' names, or none.
#define EMU_COMPLEX(T, name, s, root)                                                              \
    inline T cuCreal##s(name x) { return x.x; }                                                    \
    inline T cuCimag##s(name x) { return x.y; }                                                    \
    inline name cuConj##s(name x) { return {x.x, -x.y}; }                                          \
    inline name cuCadd##s(name x, name y) { return {x.x + y.x, x.y + y.y}; }                       \
    inline name cuCsub##s(name x, name y) { return {x.x - y.x, x.y - y.y}; }                       \
    inline name cuCmul##s(name x, name y)                                                          \
    {                                                                                              \
        return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                                     \
    }                                                                                              \
    /* Scaled by the divisor, so that squares neither overflow nor vanish. */                      \
    inline name cuCdiv##s(name x, name y)                                                          \
    {                                                                                              \
        const T scale = 1 / (emu::ordinary_abs(y.x) + emu::ordinary_abs(y.y));                     \
        const T a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;                \
        const T size = 1 / (c * c + d * d);                                                        \
        return {(a * c + b * d) * size, (b * c - a * d) * size};                                   \
    }                                                                                              \
    inline T cuCabs##s(name x) { return root(x.x, x.y); }

namespace emu {
inline float ordinary_abs(float x) { return __builtin_fabsf(x); }
inline double ordinary_abs(double x) { return __builtin_fabs(x); }
}  // namespace emu

EMU_COMPLEX(float, cuFloatComplex, f, __builtin_hypotf)
EMU_COMPLEX(double, cuDoubleComplex, , __builtin_hypot)
#undef EMU_COMPLEX

inline cuFloatComplex make_cuFloatComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) { return {real, imaginary}; }
inline cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return {float(x.x), float(x.y)}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return {x.x, x.y}; }
inline cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex z)
{
    return {__builtin_fmaf(-x.y, y.y, __builtin_fmaf(x.x, y.x, z.x)),
            __builtin_fmaf(x.y, y.x, __builtin_fmaf(x.x, y.y, z.y))};
}
inline cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex z)
{
    return {__builtin_fma(-x.y, y.y, __builtin_fma(x.x, y.x, z.x)),
            __builtin_fma(x.y, y.x, __builtin_fma(x.x, y.y, z.y))};
}
