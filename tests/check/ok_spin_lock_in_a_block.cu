#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ int lock;
    __shared__ float sum;
    int t = threadIdx.x;
    if (t == 0) lock = 0, sum = 0;
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            sum += A[t];
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    for (int i = t; i < N; i += 128) B[i] = A[i] + 0 * sum;
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 128>>>(A, B, N);
}
