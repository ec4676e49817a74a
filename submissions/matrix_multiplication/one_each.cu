// Matrix multiplication: C = A * B; A is M x N, B is N x K, C is M x K, row-major.
//
// Idea:   one thread an element of C. Neighbours in x read neighbours of B, and all of a warp the
//         same element of A; every element of A is fetched by K / 16 blocks.
// Launch: 16 x 16 threads a block, x along the columns of C.
// Tails:  threads beyond C do nothing.
//
// rung: 1
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) sum += A[size_t(row) * N + n] * B[size_t(n) * K + col];
    C[size_t(row) * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
