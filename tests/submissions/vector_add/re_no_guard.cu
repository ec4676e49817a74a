// expect: RE out_of_bounds
// expect gpu: WA guard_overwritten|input_modified
// The last block does not ask whether its elements exist.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<(N + 255) / 256, 256>>>(A, B, C);
}
