// Copies with 16-byte accesses, as fast as the memory goes.  Reads past N are by elements.
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const int whole = N / 4;
    if (at < whole) reinterpret_cast<float4*>(B)[at] = reinterpret_cast<const float4*>(A)[at];
    if (at < N - 4 * whole) B[4 * whole + at] = A[4 * whole + at];
}

extern "C" void solve(const float* A, float* B, int N) {
    copy<<<(N / 4 + 4 + 255) / 256, 256>>>(A, B, N);
}
