// expect: CE compile
// Assigns to an element of A, which is const.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    A[size_t(row) * K] = __float2half(0.0f);
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + 15) / 16, (M + 15) / 16);
    gemm<<<grid, dim3(16, 16)>>>(A, B, C, M, N, K, alpha, beta);
}
