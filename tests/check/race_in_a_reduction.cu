#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = A[t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2)
        if (t < d) s[t] += s[t + d];  // finding: race
    if (t == 0) B[0] = s[0];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 256>>>(A, B, N);
}
