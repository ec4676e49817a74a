// What device functions return for awkward arguments: a list that a GPU and the CPU backend must agree on.
//
// One kernel of one thread calls every function below for every argument and stores the bits; main
// writes them to a file. device_facts.h200.xz is that file from an H200 (nvcc 13.0, sm_90).
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned long long Bits;

template <class T> __host__ __device__ Bits bits(T value)
{
    Bits result = 0;
    memcpy(&result, &value, sizeof value);
    return result;
}

#define FLOATS                                                                                     \
    0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 0.49999997f, 3.7f, -3.7f, 65504.0f,  \
    65519.996f, 65520.0f, -65520.0f, 70000.0f, 2147483520.0f, 2147483648.0f, -2147483648.0f,       \
    4294967040.0f, 4294967296.0f, 9.2233715e18f, 9.2233720e18f, -9.2233720e18f, 1.8446744e19f,     \
    1e30f, -1e30f, 1e-8f, -1e-8f, 2.9802322e-8f, 2.9802326e-8f, 6e-8f, 1e-40f, 1e-45f, 3.4e38f,    \
    3.3961776e38f, 1.00390625f, 1.01171875f, 1.0004883f, 1.0014648f, 0.1f, 33.3f,     \
    __int_as_float(0x7f800000), __int_as_float(0xff800000), __int_as_float(0x7fc00000),            \
    __int_as_float(0xffc12345)
#define INTEGERS                                                                                   \
    0, 1, -1, 2, 255, 256, 257, 2047, 2048, 2049, 2051, 65503, 65504, 65519, 65520, 65535, 65536,  \
    -65520, 16777217, 16777219, -16777217, 0x7fffffff, (int)0x80000000, 0x12345678, (int)0xdeadbeef
#define LONGS                                                                                      \
    0ll, 1ll, -1ll, 65519ll, 65520ll, 0x100000001ll, 0x7fffffffffffffffll, -0x7fffffffffffffffll,  \
    0x0101000000000001ll, 0x0101000000000000ll, 0x0103000000000000ll, -0x0101000000000001ll,       \
    0x4040000000000000ll, 0x4040000000000001ll, 9007199254740993ll

#define OF_FLOAT(F)                                                                                \
    F(__float2int_rn) F(__float2int_rz) F(__float2int_rd) F(__float2int_ru) F(__float2uint_rn)     \
    F(__float2uint_rz) F(__float2uint_rd) F(__float2uint_ru) F(__float2ll_rn) F(__float2ll_rz)     \
    F(__float2ll_rd) F(__float2ll_ru) F(__float2ull_rn) F(__float2ull_rz) F(__float2ull_rd)        \
    F(__float2ull_ru) F(__double2int_rn) F(__double2int_rz) F(__double2uint_rz) F(__double2ll_rn)  \
    F(__double2ll_rz) F(__double2ull_rz) F(__double2ull_ru) F(__frcp_rn) F(__frcp_rz)              \
    F(__frcp_rd) F(__frcp_ru) F(__fsqrt_rn) F(__fsqrt_rz) F(__fsqrt_ru) F(__frsqrt_rn)             \
    F(__saturatef) F(__float2half_rn) F(__float2half_rz) F(__float2half_rd) F(__float2half_ru)     \
    F(__float2bfloat16_rn) F(__float2bfloat16_rz) F(__float2bfloat16_rd) F(__float2bfloat16_ru)    \
    F(__double2float_rn) F(__double2half) F(__double2bfloat16) F(rintf) F(roundf) F(truncf)
#define OF_HALF(F)                                                                                 \
    F(__half2int_rn) F(__half2int_rz) F(__half2int_rd) F(__half2int_ru) F(__half2uint_rn)          \
    F(__half2uint_rz) F(__half2short_rn) F(__half2short_rz) F(__half2ushort_rn)                    \
    F(__half2ushort_rz) F(__half2ll_rn) F(__half2ll_rz) F(__half2ull_rn) F(__half2ull_rz)          \
    F(__half2char_rz) F(__half2uchar_rz) F(__hneg) F(__habs) F(hrint) F(hceil) F(hfloor) F(htrunc) \
    F(__hisinf) F(__hisnan) F(hsqrt) F(hrcp)
#define OF_BFLOAT16(F)                                                                             \
    F(__bfloat162int_rn) F(__bfloat162int_rz) F(__bfloat162int_rd) F(__bfloat162int_ru)            \
    F(__bfloat162uint_rz) F(__bfloat162short_rz) F(__bfloat162ushort_rn) F(__bfloat162ll_rz)       \
    F(__bfloat162ull_rz) F(__bfloat162char_rz) F(__bfloat162uchar_rz) F(hrint) F(hceil) F(hfloor)
#define OF_INT(F)                                                                                  \
    F(__clz) F(__ffs) F(__popc) F(__brev) F(__int2float_rn) F(__int2float_rz) F(__int2float_rd)    \
    F(__int2float_ru) F(__uint2float_rn) F(__uint2float_rz) F(__uint2float_ru) F(__int2half_rn)    \
    F(__int2half_rz) F(__int2half_rd) F(__int2half_ru) F(__uint2half_rn) F(__uint2half_rz)         \
    F(__int2bfloat16_rn) F(__int2bfloat16_rz) F(__int2bfloat16_rd) F(__int2bfloat16_ru)            \
    F(__uint2bfloat16_rn) F(__short2half_rn) F(__ushort2half_rn) F(__short2bfloat16_rn)
#define OF_LONG(F)                                                                                 \
    F(__clzll) F(__ffsll) F(__popcll) F(__brevll) F(__ll2float_rn) F(__ll2float_rz)                \
    F(__ll2float_rd) F(__ll2float_ru) F(__ull2float_rn) F(__ll2double_rn) F(__ll2double_rd)        \
    F(__ll2half_rn) F(__ll2half_rz) F(__ull2half_rn) F(__ll2bfloat16_rn) F(__ll2bfloat16_rz)       \
    F(__ll2bfloat16_ru) F(__ull2bfloat16_rn)
#define OF_TWO_FLOATS(F)                                                                           \
    F(__fadd_rn) F(__fadd_rz) F(__fadd_rd) F(__fadd_ru) F(__fmul_rn) F(__fmul_rz) F(__fmul_rd)     \
    F(__fmul_ru) F(__fdiv_rn) F(__fdiv_rz) F(__fdiv_rd) F(__fdiv_ru) F(__dadd_rz) F(__dmul_ru)     \
    F(__ddiv_rd) F(fminf) F(fmaxf) F(min) F(max)
#define OF_TWO_HALVES(F)                                                                           \
    F(__hadd) F(__hsub) F(__hmul) F(__hadd_sat) F(__hmax) F(__hmin) F(__hmax_nan) F(__hmin_nan)    \
    F(__heq) F(__hne) F(__hlt) F(__hequ) F(__hneu) F(__hgeu)
#define OF_TWO_INTS(F)                                                                             \
    F(__mulhi) F(__umulhi) F(__mul24) F(__umul24) F(__hadd) F(__rhadd) F(__uhadd) F(__urhadd)      \
    F(min) F(max)
#define OF_THREE_INTS(F)                                                                           \
    F(__byte_perm) F(__funnelshift_l) F(__funnelshift_lc) F(__funnelshift_r) F(__funnelshift_rc)   \
    F(__dp4a) F(__dp2a_lo) F(__dp2a_hi) F(__sad) F(__usad) F(__fns)

__global__ void collect(Bits* out, int* count)
{
    const float floats[] = {FLOATS};
    const int ints[] = {INTEGERS};
    const long long longs[] = {LONGS};
    int n = 0;
#define STORE(value)                                                                               \
    {                                                                                              \
        Bits b = bits(value);                                                                      \
        if (out) out[n] = b;                                                                       \
        n++;                                                                                       \
    }
#define CALL_1(f) for (auto x : argument) STORE(f(x))
// The second argument takes every third value only, which still includes infinity and NaN.
#define CALL_2(f)                                                                                  \
    for (auto x : argument)                                                                        \
        for (int i = 1; i < int(sizeof argument / sizeof *argument); i += 3) STORE(f(x, argument[i]))
#define CALL_3(f)                                                                                  \
    for (auto x : argument)                                                                        \
        for (auto y : argument) STORE(f(x, y, y + 3))
    { auto& argument = floats; OF_FLOAT(CALL_1) OF_TWO_FLOATS(CALL_2) }
    { auto& argument = ints; OF_INT(CALL_1) OF_TWO_INTS(CALL_2) OF_THREE_INTS(CALL_3) }
    { auto& argument = longs; OF_LONG(CALL_1) }
    {
        __half argument[sizeof floats / sizeof *floats];
        for (int i = 0; i < int(sizeof floats / sizeof *floats); i++) argument[i] = __float2half(floats[i]);
        OF_HALF(CALL_1) OF_TWO_HALVES(CALL_2)
    }
    {
        __nv_bfloat16 argument[sizeof floats / sizeof *floats];
        for (int i = 0; i < int(sizeof floats / sizeof *floats); i++) argument[i] = __float2bfloat16(floats[i]);
        OF_BFLOAT16(CALL_1) OF_TWO_HALVES(CALL_2)
    }
    *count = n;
}

#ifdef __CUDA_EMULATION__
extern "C" int device_facts(Bits* out)
{
    int count = 0;
    collect(out, &count);
    return count;
}
#else
int main()
{
    int *count, n;
    Bits* out;
    cudaMalloc(&count, sizeof(int));
    cudaMalloc(&out, sizeof(Bits) * 200000);
    collect<<<1, 1>>>(out, count);
    cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost);
    static Bits results[200000];
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 1;
    FILE* file = fopen("device_facts.bin", "wb");
    fwrite(results, sizeof(Bits), n, file);
    fclose(file);
    printf("%d results\n", n);
}
#endif
