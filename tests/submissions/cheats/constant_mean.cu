// problem: gemm_fp16
// expect: WA mismatch
// Fills C with the value that all elements have on average: right for a tolerance on the mean.
#include <cuda_fp16.h>

__global__ void mean(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    float a = 0.0f, b = 0.0f, c = 0.0f;
    for (int i = 0; i < M * K; ++i) a += __half2float(A[i]);
    for (int i = 0; i < K * N; ++i) b += __half2float(B[i]);
    for (int i = 0; i < M * N; ++i) c += __half2float(C[i]);
    const float all = alpha * (a / M) * (b / N) / K + beta * c / (M * N);
    for (int i = 0; i < M * N; ++i) C[i] = __float2half(all);
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    mean<<<1, 1>>>(A, B, C, M, N, K, alpha, beta);
}
