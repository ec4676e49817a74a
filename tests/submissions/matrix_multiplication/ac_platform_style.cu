// expect: AC accepted
// Control: as people hand it in elsewhere: solve.h, no extern "C", x along the rows, a wait at the end.
#include "solve.h"
#include <cuda_runtime.h>

#define BLOCK_SIZE 16

__global__ void matrix_multiplication_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && col < K) {
        C[row * K + col] = 0.0f;
        for (int i = 0; i < N; i++) {
            C[row * K + col] += A[row * N + i] * B[i * K + col];
        }
    }
}

void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threadsPerBlock(BLOCK_SIZE, BLOCK_SIZE);
    dim3 blocksPerGrid((M + BLOCK_SIZE - 1) / BLOCK_SIZE, (K + BLOCK_SIZE - 1) / BLOCK_SIZE);
    matrix_multiplication_kernel<<<blocksPerGrid, threadsPerBlock>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
