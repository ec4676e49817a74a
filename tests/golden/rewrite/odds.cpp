// The rest: qualifiers that would clash with the C++ library, unrolling, and inline PTX.
#define INLINE  __device__
__device__  float slow(float x) { return x * 2; }
 __device__ float fast(float x) { return x * 3; }
INLINE float other(float x) { return x * 4; }
static __device__  float fourth(float x) { return x * 5; }

__global__ void __launch_bounds__(128) loops(float *p) {
#pragma unroll
    for (int i = 0; i < 4; ++i) p[i] = slow(p[i]) + fast(p[i]) + other(p[i]) + fourth(p[i]);
#pragma unroll 2
    for (int i = 0; i < 4; ++i) p[i] += 1;
    asm volatile("" ::: "memory");
}

static __device__ int lane() {
    int id;
    do { auto&& emu_0 = (id); ::emu::ptx::put<uint32_t>(emu_0, uint32_t(::emu::ptx::get<uint32_t>(::emu::ptx::lane()))); } while (0)   ; // the lane
    do { auto&& emu_0 = (id); const auto emu_1 = (1); { uint32_t emu_r_t{}; ::emu::ptx::put<uint32_t>(emu_0, uint32_t(::emu::ptx::get<uint32_t>(emu_r_t))); } } while (0)
        
         
         ;
    return id;
}
