// expect: AC accepted
// Control: one long line of threads that take their matrix, row and column from the index.
#include "solve.h"
#include <cuda_runtime.h>

__global__ void batched_matmul_kernel(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    long long idx = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= (long long)BATCH * M * N) return;
    int col = idx % N, row = idx / N % M, b = idx / N / M;
    float sum = 0.0f;
    for (int k = 0; k < K; k++)
        sum += A[((long long)b * M + row) * K + k] * B[((long long)b * K + k) * N + col];
    C[idx] = sum;
}

void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    int threadsPerBlock = 256;
    long long total = (long long)BATCH * M * N;
    batched_matmul_kernel<<<(total + threadsPerBlock - 1) / threadsPerBlock, threadsPerBlock>>>(A, B, C, BATCH, M, N, K);
    cudaDeviceSynchronize();
}
