// The functions of CUDA's math library that the C and C++ libraries do not have, and the float
// overloads of those that C has for double only. The rest (expf, std::exp, ::exp(float), ...)
// comes from <math.h>, whose C++ form puts the overloads into the global namespace as nvcc has them.
//
// Each is computed in double for float arguments, so that the float result is nearly always the
// nearest one.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/math_functions.h is internal: include <cuda_runtime.h>"
#endif

namespace emu {

// sin and cos of pi x, with x brought into [-1/4, 1/4] first, which is exact.
inline void sine_cosine_pi(double x, double* sine, double* cosine)
{
    const double pi = 3.14159265358979323846;
    const double quarters = std::nearbyint(2 * x);
    const double angle = pi * (x - 0.5 * quarters);
    const double s = std::sin(angle), c = std::cos(angle);
    switch (int(std::fmod(quarters, 4.0)) & 3) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
    }
    if (!std::isfinite(x)) *sine = *cosine = NAN;
    if (*sine == 0) *sine = std::copysign(0.0, x);
    if (*cosine == 0) *cosine = 0.0;
}

// Inverse of the standard normal distribution: Acklam's approximation (relative error 1e-9), then two
// steps of Halley's method on erfc, which reach double precision.
inline double inverse_normal(double p)
{
    if (!(p >= 0 && p <= 1)) return NAN;
    if (p == 0) return -INFINITY;
    if (p == 1) return INFINITY;
    const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
                        1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                        6.680131188771972e+01, -1.328068155288572e+01};
    const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                        -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                        3.754408661907416e+00};
    const double tail = p < 0.5 ? p : 1 - p;
    double x;
    if (tail < 0.02425) {
        const double q = std::sqrt(-2 * std::log(tail));
        x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
            ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
        if (p > 0.5) x = -x;
    } else {
        const double q = p - 0.5, r = q * q;
        x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
            (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
    }
    for (int step = 0; step < 2; step++) {
        // The error is taken on the side of the smaller tail, where it has full precision.
        const double error = x < 0 ? 0.5 * std::erfc(-x * M_SQRT1_2) - p : (1 - p) - 0.5 * std::erfc(x * M_SQRT1_2);
        const double u = error * std::sqrt(2 * M_PI) * std::exp(x * x / 2);
        x -= u / (1 + x * u / 2);
    }
    return x;
}

// exp(x^2) erfc(x); for large x, where exp magnifies the rounding of x^2, Laplace's continued fraction.
inline double scaled_erfc(double x)
{
    if (x < 4) return std::exp(x * x) * std::erfc(x);
    double fraction = x;
    for (int k = 80; k >= 1; k--) fraction = x + 0.5 * k / fraction;
    return 1 / (fraction * std::sqrt(M_PI));
}

inline double inverse_erf(double x) { return inverse_normal(0.5 * (x + 1)) * M_SQRT1_2; }
inline double inverse_erfc(double x) { return -inverse_normal(0.5 * x) * M_SQRT1_2; }

}  // namespace emu

// `name` for double, `namef` for float, and the C++ overload of `name` for float. With C linkage and
// noexcept: newer C libraries declare some of these names, and the two must agree.
#define EMU_MATH_1(name, value)                                                                    \
    extern "C" inline double name(double x) noexcept { return value; }                             \
    extern "C" inline float name##f(float x_) noexcept { double x = x_; return float(value); }     \
    inline float name(float x) { return name##f(x); }
#define EMU_MATH_2(name, value)                                                                    \
    extern "C" inline double name(double x, double y) noexcept { return value; }                   \
    extern "C" inline float name##f(float x_, float y_) noexcept                                   \
    {                                                                                              \
        double x = x_, y = y_;                                                                     \
        return float(value);                                                                       \
    }                                                                                              \
    inline float name(float x, float y) { return name##f(x, y); }

EMU_MATH_1(rsqrt, 1 / std::sqrt(x))
EMU_MATH_1(rcbrt, 1 / std::cbrt(x))
EMU_MATH_1(normcdf, 0.5 * std::erfc(-x * M_SQRT1_2))
EMU_MATH_1(normcdfinv, emu::inverse_normal(x))
EMU_MATH_1(erfinv, emu::inverse_erf(x))
EMU_MATH_1(erfcinv, emu::inverse_erfc(x))
EMU_MATH_1(erfcx, emu::scaled_erfc(x))
EMU_MATH_2(rhypot, 1 / std::hypot(x, y))
#undef EMU_MATH_1
#undef EMU_MATH_2

extern "C" inline void sincospi(double x, double* s, double* c) noexcept
{
    emu::sine_cosine_pi(x, s, c);
}
extern "C" inline void sincospif(float x, float* s, float* c) noexcept
{
    double sine, cosine;
    emu::sine_cosine_pi(x, &sine, &cosine);
    *s = float(sine), *c = float(cosine);
}
extern "C" inline double sinpi(double x) noexcept { double s, c; sincospi(x, &s, &c); return s; }
extern "C" inline double cospi(double x) noexcept { double s, c; sincospi(x, &s, &c); return c; }
extern "C" inline float sinpif(float x) noexcept { float s, c; sincospif(x, &s, &c); return s; }
extern "C" inline float cospif(float x) noexcept { float s, c; sincospif(x, &s, &c); return c; }
inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }

inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline float norm3df(float a, float b, float c) { return float(std::hypot(double(a), b, c)); }
inline double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
inline float rnorm3df(float a, float b, float c) { return float(1 / norm3d(a, b, c)); }
inline double norm4d(double a, double b, double c, double d) { return std::hypot(std::hypot(a, b), std::hypot(c, d)); }
inline float norm4df(float a, float b, float c, float d) { return float(norm4d(a, b, c, d)); }
inline double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
inline float rnorm4df(float a, float b, float c, float d) { return float(1 / norm4d(a, b, c, d)); }
inline double norm(int count, const double* values)
{
    double length = 0;
    for (int i = 0; i < count; i++) length = std::hypot(length, values[i]);
    return length;
}
inline float normf(int count, const float* values)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += double(values[i]) * values[i];
    return float(std::sqrt(sum));
}
inline double rnorm(int count, const double* values) { return 1 / norm(count, values); }
inline float rnormf(int count, const float* values) { return 1 / normf(count, values); }

inline float fdividef(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }

// float overloads of functions that the C library has as f(double) and ff(float).
#define EMU_OVERLOAD(name) \
    inline float name(float x) { return name##f(x); }
#if defined(__GLIBC__)
EMU_OVERLOAD(exp10)
EMU_OVERLOAD(j0)
EMU_OVERLOAD(j1)
EMU_OVERLOAD(y0)
EMU_OVERLOAD(y1)
inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
#else
inline double exp10(double x) { return std::pow(10.0, x); }
inline float exp10f(float x) { return std::pow(10.0f, x); }
inline float exp10(float x) { return std::pow(10.0f, x); }
inline void sincos(double x, double* s, double* c) { *s = std::sin(x), *c = std::cos(x); }
inline void sincosf(float x, float* s, float* c) { *s = std::sin(x), *c = std::cos(x); }
inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
#endif
#undef EMU_OVERLOAD

// Modified Bessel functions by their power series: all terms have one sign, so nothing cancels.
namespace emu {
inline double bessel_i(int order, double x)
{
    double term = order == 0 ? 1 : x / 2, sum = 0;
    for (int k = 1; std::fabs(term) > 1e-17 * std::fabs(sum) && std::isfinite(sum); k++) {
        sum += term;
        term *= x * x / 4 / (double(k) * (k + order));
    }
    return sum;
}
}  // namespace emu

inline double cyl_bessel_i0(double x) { return emu::bessel_i(0, x); }
inline double cyl_bessel_i1(double x) { return emu::bessel_i(1, x); }
inline float cyl_bessel_i0f(float x) { return float(emu::bessel_i(0, x)); }
inline float cyl_bessel_i1f(float x) { return float(emu::bessel_i(1, x)); }
