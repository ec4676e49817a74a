#include <cuda_runtime.h>

__global__ void fold(int* values, size_t n) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x, j = n - 1 - i;
    if (i >= (n + 1) / 2) return;
    values[i] = values[j] = values[i] + values[j];
}

extern "C" void solve(int* values, size_t n) {
    fold<<<(n + 127) / 128, 128>>>(values, n);
}
