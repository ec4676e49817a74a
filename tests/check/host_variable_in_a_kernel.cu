#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N, const int* limit) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < *limit) B[i] = A[i];  // finding: host_access
}
extern "C" void solve(const float* A, float* B, int N) {
    int limit = N;
    k<<<(N + 127) / 128, 128>>>(A, B, N, &limit);
}
