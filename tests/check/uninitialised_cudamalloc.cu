#include <cuda_runtime.h>

__global__ void k(float* w, const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N)
        w[i] += A[i];  // finding: uninitialised
    if (i < N) B[i] = w[i];
}
extern "C" void solve(const float* A, float* B, int N) {
    float* w;
    cudaMalloc(&w, N * 4);
    k<<<(N + 127) / 128, 128>>>(w, A, B, N);
    cudaFree(w);
}
