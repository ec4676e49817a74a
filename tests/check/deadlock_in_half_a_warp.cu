#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    float v = i < N ? A[i] : 0;
    if (threadIdx.x % 32 < 16) __syncwarp();  // finding: deadlock
    else __shfl_sync(0xffffffffu, v, 0);  // finding: deadlock
    if (i < N) B[i] = v;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
