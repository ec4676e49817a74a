#include <cuda_runtime.h>

__device__ float load(const float* p, int i) {
    return p[i];  // finding: out_of_bounds
}
__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    float v = load(A, i);
    if (i < N || v == 123) B[i] = v;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
