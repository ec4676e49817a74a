#include <cuda_runtime.h>

__global__ void k(const float* w, float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N)
        B[i] = w[i];  // finding: out_of_bounds
}
extern "C" void solve(const float* A, float* B, int N) {
    float* w;
    cudaMalloc(&w, N * 4);
    cudaMemcpy(w, A, N * 4, cudaMemcpyDeviceToDevice);
    cudaFree(w);
    k<<<(N + 127) / 128, 128>>>(w, B, N);
}
