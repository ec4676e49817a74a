#include <cuda_runtime.h>

__global__ void count(const float* A, int* bins, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) atomicAdd(&bins[i % 11], A[i] > 0);  // finding: out_of_bounds
}
extern "C" void solve(const float* A, float* B, int N) {
    int* bins;
    cudaMalloc(&bins, 10 * sizeof(int));
    cudaMemset(bins, 0, 10 * sizeof(int));
    count<<<(N + 127) / 128, 128>>>(A, bins, N);
    cudaMemcpy(B, A, N * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(bins);
}
