// Functions that CUDA adds to the C library, for tests/test_include_math.py.
#include "cuda_runtime.h"

extern "C" {
double call_double(const char* name, double x)
{
#define ONE(f) \
    if (!strcmp(name, #f)) return f(x);
    ONE(rsqrt) ONE(rcbrt) ONE(normcdf) ONE(normcdfinv) ONE(erfinv) ONE(erfcinv) ONE(erfcx) ONE(sinpi) ONE(cospi)
    ONE(exp10) ONE(cyl_bessel_i0) ONE(cyl_bessel_i1)
    return NAN;
}
float call_float(const char* name, float x)
{
    ONE(rsqrtf) ONE(rcbrtf) ONE(normcdff) ONE(normcdfinvf) ONE(erfinvf) ONE(erfcxf) ONE(sinpif) ONE(cospif)
    ONE(exp10f) ONE(__expf) ONE(__exp10f) ONE(__logf) ONE(__log2f) ONE(__log10f) ONE(__sinf) ONE(__cosf)
    ONE(__tanf) ONE(__saturatef) ONE(rsqrt) ONE(exp10) ONE(abs) ONE(sqrt) ONE(exp) ONE(floor)
    return NAN;
}
#undef ONE
float powers(float x, float y) { return __powf(x, y); }
float quotient(float x, float y) { return __fdividef(x, y); }
float least(float x, float y) { return min(x, y); }
float greatest(float x, float y) { return max(x, y); }
int sine_and_cosine(float x, float* s, float* c)
{
    float s2, c2;
    sincosf(x, s, c);
    __sincosf(x, &s2, &c2);
    return *s == s2 && *c == c2;
}

// Types that nvcc gives to calls with mixed arguments.
#define IS(type, expression) static_assert(std::is_same<type, decltype(expression)>::value, #expression)
IS(unsigned int, min(1, 2u));
IS(unsigned long long, max(1ll, 2ull));
IS(unsigned long, min(1l, 2ul));
IS(double, max(1.0f, 2.0));
IS(float, min(1.0f, 2.0f));
IS(int, max(1, 2));
IS(float, abs(1.0f));
IS(float, sqrt(1.0f));
IS(float, exp(1.0f));
IS(float, pow(1.0f, 2.0f));
IS(float, fabs(1.0f));
IS(float, rsqrt(1.0f));
IS(double, floor(1.0));
}
