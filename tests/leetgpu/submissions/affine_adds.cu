#include <cuda_runtime.h>

__global__ void affine(const float* x, float* y, float a, float b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i] + b;
}

extern "C" void solve(const float* x, float* y, float a, float b, int N) {
    affine<<<(N + 255) / 256, 256>>>(x, y, a, b, N);
    cudaDeviceSynchronize();
}
