#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, float* value, volatile int* flag, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) B[i] = A[i];
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        *value = A[0];
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) __threadfence();
        __threadfence();
        if (i < N) B[i] = A[i] + 0 * *value;
    }
}
extern "C" void solve(const float* A, float* B, int N) {
    float* w;
    cudaMalloc(&w, 8);
    cudaMemset(w, 0, 8);
    k<<<(N + 127) / 128, 128>>>(A, B, w, (volatile int*)(w + 1), N);
    cudaFree(w);
}
