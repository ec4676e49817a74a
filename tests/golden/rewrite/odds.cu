// The rest: qualifiers that would clash with the C++ library, unrolling, and inline PTX.
#define INLINE __forceinline__ __device__
__device__ __noinline__ float slow(float x) { return x * 2; }
__forceinline__ __device__ float fast(float x) { return x * 3; }
INLINE float other(float x) { return x * 4; }
static __device__ __forceinline__ float fourth(float x) { return x * 5; }

__global__ void __launch_bounds__(128) loops(float *p) {
#pragma unroll
    for (int i = 0; i < 4; ++i) p[i] = slow(p[i]) + fast(p[i]) + other(p[i]) + fourth(p[i]);
#pragma unroll 2
    for (int i = 0; i < 4; ++i) p[i] += 1;
    asm volatile("" ::: "memory");
}

static __device__ int lane() {
    int id;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(id)); // the lane
    asm("{ .reg .u32 t;\n"
        "  mov.u32 %0, t; }"
        : "=r"(id)
        : "r"(1));
    return id;
}
