// FP16 GEMM: C = alpha * A * B + beta * C, all matrices row-major and in device memory.
// A is M x K, B is K x N, C is M x N; statement.md has the details.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    // Each thread finds its row and column of C, sums up K products in float, and writes one element.
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    dim3 block(16, 16);
    dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    gemm<<<grid, block>>>(A, B, C, M, N, K, alpha, beta);
}
