// expect: WA mismatch|unwritten
// A grid-stride loop without the stride: only the first 1024 outputs are computed.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= M * N) return;
    const int row = i / N, col = i % N;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[i] = __float2half(alpha * sum + beta * __half2float(C[i]));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    gemm<<<4, 256>>>(A, B, C, M, N, K, alpha, beta);
}
