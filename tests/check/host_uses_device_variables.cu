#include <cuda_runtime.h>

__device__ int limit;
__device__ float table[2];
__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) B[i] = A[i];
    if (i < limit) table[i & 1] = 0;
}
extern "C" void solve(const float* A, float* B, int N) {
    limit = N;  // finding: host_access
    k<<<(N + 127) / 128, 128>>>(A, B, N);
    cudaDeviceSynchronize();
    if (table[0] != table[N & 1]) return;  // finding: host_access
}
