#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, const int* w, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) B[i] = A[i] * w[0];
}
extern "C" void solve(const float* A, float* B, int N) {
    int* w;
    cudaMallocManaged(&w, 4);
    w[0] = 1;
    k<<<(N + 127) / 128, 128>>>(A, B, w, N);
    cudaDeviceSynchronize();
    cudaFree(w);
}
