#include <cuda_runtime.h>
#include <cstdlib>

__global__ void k(const float* A, float* B, const float* scale, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) B[i] = A[i] * scale[i % 4];  // finding: host_access
}
extern "C" void solve(const float* A, float* B, int N) {
    float* scale = (float*)malloc(4 * sizeof(float));
    for (int i = 0; i < 4; i++) scale[i] = 1;
    k<<<(N + 127) / 128, 128>>>(A, B, scale, N);
    cudaDeviceSynchronize();
    free(scale);
}
