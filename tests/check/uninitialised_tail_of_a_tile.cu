#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i < N) s[t] = A[i];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 128; j++) sum += s[j];  // finding: uninitialised
    if (i < N) B[i] = s[t] + 0 * sum;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
