#include <cuda_runtime.h>

struct Arrays {
    const float* from;
    float* to;
    int count[2];
};
__global__ void k(Arrays arrays, const Arrays* same) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < arrays.count[1] && i < same->count[0]) arrays.to[i] = same->from[i];
}
extern "C" void solve(const float* A, float* B, int N) {
    Arrays arrays = {A, B, {N, N}}, *copy;
    cudaMalloc(&copy, sizeof arrays);
    cudaMemcpy(copy, &arrays, sizeof arrays, cudaMemcpyHostToDevice);
    k<<<(N + 127) / 128, 128>>>(arrays, copy);
    cudaDeviceSynchronize();
    cudaFree(copy);
}
