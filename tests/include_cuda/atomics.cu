// Every atomic operation, contended by 64 blocks of 64 threads, on two OS threads. Results go to out as
// floats; the sums are exact in any order.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Cells {
    int add_int, sub_int, min_int, max_int, and_int, or_int, xor_int, cas_count, lock, guarded;
    unsigned add_unsigned, inc, dec, max_unsigned, exchanged;
    unsigned long long add_long, max_long, and_long;
    long long min_signed_long;
    float add_float, exchanged_float;
    double add_double;
    __half2 add_half2;
    __half add_half;
    __nv_bfloat16 add_bfloat16;
    unsigned max_float_bits;
    float4 add_float4;
};
__device__ Cells cells;

__device__ float atomic_max_by_cas(unsigned* address, float value)
{
    unsigned old = *address, assumed;
    do {
        assumed = old;
        if (__uint_as_float(assumed) >= value) break;
        old = atomicCAS(address, assumed, __float_as_uint(value));
    } while (assumed != old);
    return __uint_as_float(old);
}

__global__ void hammer()
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&cells.add_int, i % 7 - 3);
    atomicAdd_block(&cells.add_unsigned, 2u);
    atomicAdd_system(&cells.add_long, 1ull << 33);
    atomicAdd(&cells.add_float, 0.5f);
    atomicAdd(&cells.add_double, 0.25);
    if (i % 4 == 0) {
        atomicAdd(&cells.add_half, __float2half(1.0f));
        atomicAdd(&cells.add_half2, __floats2half2_rn(1.0f, -0.5f));
    }
    if (i % 32 == 0) atomicAdd(&cells.add_bfloat16, __float2bfloat16(1.0f));
    atomicAdd(&cells.add_float4, make_float4(1, 2, 3, 4));
    atomicSub(&cells.sub_int, 1);
    atomicMin(&cells.min_int, -i);
    atomicMax(&cells.max_int, i);
    atomicMax(&cells.max_unsigned, (unsigned)i);
    atomicMax(&cells.max_long, (unsigned long long)i << 40);
    atomicMin(&cells.min_signed_long, -((long long)i << 40));
    atomicAnd(&cells.and_int, ~(1 << i % 16));
    atomicAnd(&cells.and_long, ~(1ull << i % 48));
    atomicOr(&cells.or_int, 1 << i % 20);
    atomicXor(&cells.xor_int, i);
    atomicInc(&cells.inc, 9u);
    atomicDec(&cells.dec, 9u);
    atomicExch(&cells.exchanged, 5u);
    atomicExch(&cells.exchanged_float, 2.5f);
    atomic_max_by_cas(&cells.max_float_bits, (float)(i % 1000));
    if (threadIdx.x == 0) {  // a lock around an increment that is not atomic
        while (atomicCAS(&cells.lock, 0, 1) != 0) {
        }
        cells.guarded = cells.guarded + 1;
        __threadfence();
        atomicExch(&cells.lock, 0);
    }
}

__global__ void prepare()
{
    cells = Cells();
    cells.and_int = -1, cells.and_long = ~0ull;
    cells.add_half = __float2half(0.0f), cells.add_half2 = __floats2half2_rn(0.0f, 0.0f);
    cells.add_bfloat16 = __float2bfloat16(0.0f);
}

__global__ void report(float* out)
{
    const Cells& c = cells;
    const float values[] = {
        (float)c.add_int, (float)c.add_unsigned, (float)(c.add_long >> 33), c.add_float, (float)c.add_double,
        __half2float(c.add_half), __low2float(c.add_half2), __high2float(c.add_half2),
        __bfloat162float(c.add_bfloat16), c.add_float4.x, c.add_float4.w, (float)c.sub_int, (float)c.min_int,
        (float)c.max_int, (float)c.max_unsigned, (float)(c.max_long >> 40), (float)(c.min_signed_long >> 40),
        (float)(c.and_int & 0xFFFF), (float)(c.and_long >> 48), (float)c.or_int, (float)c.xor_int, (float)c.inc,
        (float)c.dec, (float)c.exchanged, c.exchanged_float, __uint_as_float(c.max_float_bits), (float)c.guarded};
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++) out[i] = values[i];
}

extern "C" void solve(float* out)
{
    prepare<<<1, 1>>>();
    hammer<<<64, 64>>>();
    report<<<1, 1>>>(out);
    cudaDeviceSynchronize();
}
