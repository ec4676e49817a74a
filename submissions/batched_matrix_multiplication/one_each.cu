// Batched matrix multiplication: C[b] = A[b] * B[b]; A is BATCH x M x K, B is BATCH x K x N.
//
// Idea:   one thread an element of C; which matrix is the block's place along z.
// Launch: 16 x 16 threads a block, x along the columns of C, z along the batch.
// Tails:  threads beyond C do nothing.
//
// rung: 1
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    A += size_t(blockIdx.z) * M * K;
    B += size_t(blockIdx.z) * K * N;
    C += size_t(blockIdx.z) * M * N;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[size_t(row) * K + k] * B[size_t(k) * N + col];
    C[size_t(row) * N + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y, BATCH);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
