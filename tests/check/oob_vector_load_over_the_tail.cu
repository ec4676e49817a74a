#include <cuda_runtime.h>

__global__ void k(const float4* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i * 4 < N + 4) {
        float4 v = A[i];  // finding: out_of_bounds
        if (i * 4 < N || v.x == 123) B[i * 4] = v.x + v.y;
    }
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>((const float4*)A, B, N);
}
