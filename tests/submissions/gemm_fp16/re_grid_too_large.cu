// expect: RE launch_limits
// Launches 65536 blocks along y, where 65535 is the limit.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int col = blockIdx.x * 128 + threadIdx.x;
    if (col >= N) return;
    for (int row = blockIdx.y; row < M; row += gridDim.y) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            sum += __half2float(A[size_t(row) * K + k]) * __half2float(B[size_t(k) * N + col]);
        }
        half* c = C + size_t(row) * N + col;
        *c = __float2half(alpha * sum + beta * __half2float(*c));
    }
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    gemm<<<dim3((N + 127) / 128, 65536), 128>>>(A, B, C, M, N, K, alpha, beta);
}
