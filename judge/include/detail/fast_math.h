// The fast single-precision intrinsics: __expf, __sinf, __powf, __fdividef, ...
//
// Here they are as exact as the plain functions: the device's are a few ulp off, and a judge's
// tolerance covers both. glibc declares most of these names for itself (extern "C", not exported);
// giving the very same declaration a body is what makes them usable. A macro would break std::.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/fast_math.h is internal: include <cuda_runtime.h>"
#endif

// Hidden: no other library is to find these names, nor they another library.
#define EMU_FAST extern "C" __attribute__((visibility("hidden"))) inline float

EMU_FAST __expf(float x) noexcept { return ::expf(x); }
EMU_FAST __exp10f(float x) noexcept { return ::powf(10.0f, x); }
EMU_FAST __logf(float x) noexcept { return ::logf(x); }
EMU_FAST __log2f(float x) noexcept { return ::log2f(x); }
EMU_FAST __log10f(float x) noexcept { return ::log10f(x); }
EMU_FAST __powf(float x, float y) noexcept { return ::powf(x, y); }
EMU_FAST __sinf(float x) noexcept { return ::sinf(x); }
EMU_FAST __cosf(float x) noexcept { return ::cosf(x); }
EMU_FAST __tanf(float x) noexcept { return ::tanf(x); }
EMU_FAST __tanhf(float x) noexcept { return ::tanhf(x); }
#undef EMU_FAST

extern "C" __attribute__((visibility("hidden"))) inline void __sincosf(float x, float* sine, float* cosine) noexcept
{
    *sine = ::sinf(x);
    *cosine = ::cosf(x);
}

// Beyond 2^126 the device's quotient is 0 (or NaN for an infinite dividend).
inline float __fdividef(float x, float y)
{
    const float size = std::fabs(y);
    return size > 0x1p126f && size < INFINITY ? x * 0.0f : x / y;
}
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
