// The judge's own kernels: checks on the device, and the rates a device can reach.  Loaded by pycuda's
// SourceModule in the judge's process; none of them ever meets a submission's address space.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {
struct Worst {
  unsigned long long wrong;  // elements that are not accepted
  unsigned long long index;  // of the first of them
  unsigned long long usage;  // bits of the largest usage of an accepted element, a double >= 0
};

template <class T> __device__ double widen(T value) { return static_cast<double>(value); }
template <> __device__ double widen(__half value) { return __half2float(value); }
template <> __device__ double widen(__nv_bfloat16 value) { return __bfloat162float(value); }

// Accepts, never rejects: an element counts as right only if it is finite and within `allowed`, or
// is the very NaN or infinity that is expected.
template <class T>
__device__ void check(const T* got, const double* expected, const double* allowed,
                      unsigned long long n, Worst* worst) {
  const unsigned long long stride = 1ull * gridDim.x * blockDim.x;
  for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    const double value = widen(got[i]), want = expected[i];
    const double error = fabs(value - want);
    const bool same = isfinite(want) ? isfinite(value) && error <= allowed[i]
                                     : (isnan(want) ? isnan(value) : value == want);
    if (!same) {
      atomicAdd(&worst->wrong, 1ull);
      atomicMin(&worst->index, i);
    } else if (isfinite(want) && allowed[i] > 0) {
      // Doubles >= 0 order as their bits do.
      atomicMax(&worst->usage, static_cast<unsigned long long>(__double_as_longlong(error / allowed[i])));
    }
  }
}
}  // namespace

extern "C" {
#define CHECK(NAME, TYPE)                                                                           \
  __global__ void check_##NAME(const TYPE* got, const double* expected, const double* allowed,      \
                               unsigned long long n, Worst* worst) {                                \
    check(got, expected, allowed, n, worst);                                                        \
  }
CHECK(float16, __half)
CHECK(bfloat16, __nv_bfloat16)
CHECK(float32, float)
CHECK(float64, double)
CHECK(int8, signed char)
CHECK(uint8, unsigned char)
CHECK(int16, short)
CHECK(uint16, unsigned short)
CHECK(int32, int)
CHECK(uint32, unsigned int)
CHECK(int64, long long)
CHECK(uint64, unsigned long long)

// Counts bytes of `a` that are not `value`: a guard band that was written.
__global__ void count_not(const unsigned char* a, unsigned value, unsigned long long n,
                          unsigned long long* count) {
  const unsigned long long stride = 1ull * gridDim.x * blockDim.x;
  for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    if (a[i] != value) atomicAdd(count, 1ull);
}

// Counts bytes in which `a` and `b` differ: an input that was modified.
__global__ void count_different(const unsigned char* a, const unsigned char* b,
                                unsigned long long n, unsigned long long* count) {
  const unsigned long long stride = 1ull * gridDim.x * blockDim.x;
  for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    if (a[i] != b[i]) atomicAdd(count, 1ull);
}
}
