#include <cuda_runtime.h>

__global__ void fill(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) B[i] = i > 0 ? A[i - 1] : 0;
}
__global__ void shift(const float* A, float* B, int N) {
    int i = threadIdx.x;
    if (i + 1 < N && i < 127) B[i] = B[i + 1];  // finding: race
}
extern "C" void solve(const float* A, float* B, int N) {
    fill<<<(N + 127) / 128, 128>>>(A, B, N);
    shift<<<1, 128>>>(A, B, N);
}
