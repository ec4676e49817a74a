// FP16 GEMM: C = alpha * A * B + beta * C, row-major, sums in float.
//
// Idea:   one thread an output. It walks a row of A and a column of B; the sum stays in a register.
// Launch: 16 x 16 threads a block, x along the columns of C, one block for each 16 x 16 piece of C.
// Tails:  threads beyond M or N leave at once. K needs no care: the loop ends where the row ends.
//
// rung: 1
#include <cuda_fp16.h>

constexpr int BLOCK = 16;

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= M || col >= N) return;

    const half* a = A + size_t(row) * K;  // a[k] = A[row, k]
    const half* b = B + col;              // b[k * N] = B[k, col]
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += __half2float(a[k]) * __half2float(b[size_t(k) * N]);

    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 block(BLOCK, BLOCK);
    const dim3 grid((N + BLOCK - 1) / BLOCK, (M + BLOCK - 1) / BLOCK);
    gemm<<<grid, block>>>(A, B, C, M, N, K, alpha, beta);
}
