// Spins for 102 % of US microseconds by the GPU's own clock, then copies.
#include <cuda_runtime.h>

__global__ void spin(const float* A, float* B, int N, int US) {
    long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - start < US * 1000LL * 102 / 100);
    for (int i = threadIdx.x; i < N; i += blockDim.x) B[i] = A[i];
}

extern "C" void solve(const float* A, float* B, int N, int US) { spin<<<1, 32>>>(A, B, N, US); }
