#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    int t = threadIdx.x;
    if (t >= 20) return;
    float v = A[t];
    v += __shfl_down_sync(0xfffff, v, 16);  // finding: shuffle
    B[t] = v;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 32>>>(A, B, N);
}
