#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    float r[4];
    for (int j = 0; j <= 4; j++)
        r[j] = i < N ? A[i] : j;  // finding: out_of_bounds
    if (i < N) B[i] = r[i % 4];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
