// expect: AC accepted
// Control: as people hand it in elsewhere, with a copy of the array to read from.
#include "solve.h"
#include <cuda_runtime.h>

__global__ void reverse_array(const float* copy, float* input, int N) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) {
        input[idx] = copy[N - 1 - idx];
    }
}

void solve(float* input, int N) {
    int threadsPerBlock = 256;
    int blocksPerGrid = (N + threadsPerBlock - 1) / threadsPerBlock;
    float* copy;
    cudaMalloc(&copy, N * sizeof(float));
    cudaMemcpy(copy, input, N * sizeof(float), cudaMemcpyDeviceToDevice);
    reverse_array<<<blocksPerGrid, threadsPerBlock>>>(copy, input, N);
    cudaDeviceSynchronize();
    cudaFree(copy);
}
