// Arithmetic: what is rounded how, and what happens at the ends of the formats.
#include "hazard.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void half_ties(unsigned* out, float one)
{
    out[0] = low_bits(__float2half(one + 0x1p-11f));         // a tie: to even, down
    out[1] = low_bits(__float2half(one + 3 * 0x1p-11f));     // a tie: to even, up
    out[2] = low_bits(__float2half(65519.0f * one));         // just below what rounds to infinity
    out[3] = low_bits(__float2half(65520.0f * one));
    out[4] = low_bits(__float2half(0x1p-25f * one));         // half the smallest: to zero
    out[5] = low_bits(__float2half(0x1.8p-25f * one));
    out[6] = low_bits(__float2half_rz(65519.0f * one));
    out[7] = low_bits(__float2half_ru(one + 0x1p-20f));
    out[8] = low_bits(__hadd(__float2half(2048.0f * one), __float2half(one)));
    out[9] = low_bits(__hfma(__float2half(one + 0x1p-10f), __float2half(one + 0x1p-10f), __float2half(-one)));
    out[10] = low_bits(__hmul(__float2half(0x1p-14f * one), __float2half(0x1p-3f)));
    out[11] = low_bits(__hdiv(__float2half(one), __float2half(3.0f)));
    out[12] = low_bits(hsqrt(__float2half(2.0f * one)));
}
__global__ void half_specials(unsigned* out, float zero)
{
    const half nan = __float2half(zero / zero), infinity = __float2half(1.0f / zero), one = __float2half(1.0f + zero);
    out[0] = low_bits(nan);
    out[1] = __hisnan(nan) + 2 * __heq(nan, nan) + 4 * __hne(nan, nan) + 8 * __hlt(one, nan);
    out[2] = low_bits(__hmax(nan, one));
    out[3] = low_bits(__hmin(one, nan));
    out[4] = low_bits(__hsub(infinity, infinity));
    out[5] = __half2int_rn(__float2half(2.5f + zero));
    out[6] = __half2int_rz(__float2half(-2.5f + zero));
    out[7] = unsigned(__half2int_rz(infinity));
    out[8] = low_bits(__int2half_rn(100000 + int(zero)));
    out[9] = low_bits(__int2half_rn(2049 + int(zero)));
    out[10] = low_bits(__hneg(nan));
    out[11] = low_bits(half(-0.0f * (1.0f + zero)));
}
__global__ void bfloats(unsigned* out, float one)
{
    out[0] = low_bits(__float2bfloat16(one + 0x1p-8f));
    out[1] = low_bits(__float2bfloat16(one + 3 * 0x1p-8f));
    out[2] = low_bits(__float2bfloat16(3.4e38f * one));
    out[3] = low_bits(__hadd(__float2bfloat16(256.0f * one), __float2bfloat16(one)));
    out[4] = low_bits(__hfma(__float2bfloat16(one + 0x1p-7f), __float2bfloat16(one + 0x1p-7f), __float2bfloat16(-one)));
    out[5] = low_bits(__float2bfloat16(0x1p-133f * one));
}
__global__ void floats(unsigned* out, float zero)
{
    const float one = 1.0f + zero, nan = zero / zero, tiny = 0x1p-140f * one;
    out[0] = bits((one + 0x1p-12f) * (one + 0x1p-12f) - (one + 0x1p-11f));  // fused
    out[1] = bits(__fadd_rn(__fmul_rn(one + 0x1p-13f, one + 0x1p-13f), -(one + 0x1p-12f)));
    out[2] = bits(tiny * 0.5f);  // not flushed to zero
    out[3] = bits(fminf(nan, one));
    out[4] = bits(fmaxf(nan, -one));
    out[5] = bits(rintf(2.5f * one)) - bits(roundf(2.5f * one));
    out[6] = bits(fmodf(-7.5f * one, 2.0f));
    out[7] = bits(copysignf(zero, -one));
    out[8] = bits(sqrtf(2.0f * one));
    out[9] = bits(one / 3.0f);
    out[10] = bits(rsqrtf(zero));
    out[11] = bits(powf(zero, zero));
    out[12] = bits(nextafterf(one, 2.0f));
    out[13] = bits(truncf(-0.5f * one));
}
__global__ void float_to_integer(unsigned* out, float zero)
{
    const float huge = 1e20f + zero;
    out[0] = unsigned(__float2int_rz(huge));
    out[1] = unsigned(__float2int_rz(-huge));
    out[2] = unsigned(__float2int_rz(zero / zero));
    out[3] = __float2uint_rz(-1.0f + zero);
    out[4] = unsigned(__float2int_rn(2.5f + zero));
    out[5] = unsigned(__float2int_ru(2.1f + zero));
    out[6] = unsigned(__float2int_rd(-2.1f + zero));
    out[7] = bits(__int2float_rn(16777217 + int(zero)));
    out[8] = bits(__int2float_ru(16777217 + int(zero)));
    out[9] = unsigned(__double2int_rz(3e9 + zero));
}
__global__ void integers(unsigned* out, int zero)
{
    out[0] = unsigned(2147483647 + (1 + zero));  // wraps
    out[1] = __clz(zero) + 100 * __ffs(zero) + 1000 * __popc(~zero);
    out[2] = __brev(1u + zero);
    out[3] = __byte_perm(0x03020100u + zero, 0x07060504u, 0x7531);
    out[4] = __funnelshift_l(0x80000001u + zero, 2u, 4);
    out[5] = unsigned(__mulhi(-5 + zero, 7)) + __umulhi(0xffffffffu + zero, 2u);
    out[6] = unsigned((-7 + zero) / 2) + unsigned((-7 + zero) % 2);
    out[7] = unsigned((-7 + zero) >> 1);
    out[8] = unsigned(__dp4a(0x01020304 + zero, 0x01010101, 5));
    out[9] = unsigned(__sad(-5 + zero, 5, 1u)) + unsigned(abs(-3 + zero));
    out[10] = unsigned(min(-1, zero)) + unsigned(max(3u, unsigned(zero)));
    out[11] = unsigned((signed char)(200 + zero)) + unsigned(sizeof(long));
    out[12] = unsigned((char)(200 + zero) < 0);
}
__global__ void pairs(unsigned* out, float one)
{
    const half2 a = __floats2half2_rn(one, 2.0f), b = __floats2half2_rn(3.0f, -4.0f);
    const half2 sum = __hadd2(a, b), fused = __hfma2(a, b, a), swapped = __lowhigh2highlow(a);
    out[0] = low_bits(__low2half(sum)) | low_bits(__high2half(sum)) << 16;
    out[1] = low_bits(__low2half(fused)) | low_bits(__high2half(fused)) << 16;
    out[2] = low_bits(__low2half(swapped)) | low_bits(__high2half(swapped)) << 16;
    out[3] = __hbeq2(a, a) + 2 * __hblt2(a, b);
    const float2 wide = __half22float2(b);
    out[4] = bits(wide.x) ^ bits(wide.y);
}

HAZARD(half_rounds_to_even) { half_ties<<<1, 1>>>(out, 1.0f); }
HAZARD(half_infinities_and_nans) { half_specials<<<1, 1>>>(out, 0.0f); }
HAZARD(bfloat16_rounds_to_even) { bfloats<<<1, 1>>>(out, 1.0f); }
HAZARD(float_arithmetic_is_fused_and_keeps_subnormals) { floats<<<1, 1>>>(out, 0.0f); }
HAZARD(float_to_integer_saturates) { float_to_integer<<<1, 1>>>(out, 0.0f); }
HAZARD(integers_wrap) { integers<<<1, 1>>>(out, 0); }
HAZARD(half2_works_by_halves) { pairs<<<1, 1>>>(out, 1.0f); }
