// expect: AC accepted
// One element of the output a thread, and a size of another type.
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, size_t n) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < 2 * n) output[i] = (i & 1 ? B : A)[i / 2];
}

void solve(const float* A, const float* B, float* output, size_t N) {
    interleave<<<(2 * N + 127) / 128, 128>>>(A, B, output, N);
    cudaDeviceSynchronize();
}
