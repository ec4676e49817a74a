#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[4];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float v = i < N ? A[i] : 0, sum = v;
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (t % 32 == 0) s[t / 32] = sum;
    __syncthreads();
    if (i < N) B[i] = v + 0 * (s[0] + s[3]);
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
