// expect: AC accepted
// Control: as people hand it in elsewhere: the hash kept as int, which wraps and shifts as it should.
#include "solve.h"
#include <cuda_runtime.h>

__device__ unsigned int hash_of(int number) {
    unsigned int hash = 2166136261;
    for (int k = 0; k < 4; k++) {
        unsigned char byte = (number >> (k * 8)) & 0xFF;
        hash = (hash ^ byte) * 16777619;
    }
    return hash;
}

__global__ void rainbow_kernel(const int* input, unsigned int* output, int N, int R) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) {
        int current = input[idx];
        for (int r = 0; r < R; r++) current = hash_of(current);
        output[idx] = current;
    }
}

void solve(const int* input, unsigned int* output, int N, int R) {
    int threadsPerBlock = 256;
    int blocksPerGrid = (N + threadsPerBlock - 1) / threadsPerBlock;
    rainbow_kernel<<<blocksPerGrid, threadsPerBlock>>>(input, output, N, R);
    cudaDeviceSynchronize();
}
