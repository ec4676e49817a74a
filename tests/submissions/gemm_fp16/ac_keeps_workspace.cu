// expect: AC accepted
// Control: keeps a workspace between calls, as a library handle does, and clears it each time.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, float* sums, int M, int N, int K,
                     float alpha, float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float* sum = sums + size_t(row) * N + col;
    for (int k = 0; k < K; ++k) {
        *sum += __half2float(A[size_t(row) * K + k]) * __half2float(B[size_t(k) * N + col]);
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * *sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static float* sums = nullptr;
    static size_t capacity = 0;
    const size_t outputs = size_t(M) * N;
    if (outputs > capacity) {
        cudaFree(sums);
        cudaMalloc(&sums, outputs * sizeof(float));
        capacity = outputs;
    }
    cudaMemset(sums, 0, outputs * sizeof(float));
    gemm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, sums, M, N, K, alpha, beta);
}
