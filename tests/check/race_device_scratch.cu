#include <cuda_runtime.h>

namespace work {
static __device__ float scratch[1024], unused;
}
__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) work::scratch[i] = A[i];  // finding: race
    __syncthreads();
    if (i < N) B[i] = work::scratch[N - 1 - i] * 0 + A[i];  // finding: race
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
