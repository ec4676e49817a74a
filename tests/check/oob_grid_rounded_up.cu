#include <cuda_runtime.h>

__global__ void k(const float4* A, float4* B, int quads) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i <= quads) {
        float4 v = A[i];  // finding: out_of_bounds
        B[i] = v;
    }
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N / 4 + 64) / 64, 64>>>((const float4*)A, (float4*)B, N / 4);
}
