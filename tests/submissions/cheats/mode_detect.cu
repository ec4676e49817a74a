// problem: gemm_fp16
// expect: gains nothing
// expect gpu: WA mismatch
// Computes all of K until it looks as if it were timed: at the third call in a row of the same
// size half of the sum has to do.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, int terms,
                     float alpha, float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < terms; ++k) {
        sum += __half2float(A[size_t(row) * K + k]) * __half2float(B[size_t(k) * N + col]);
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static int last_m = 0, last_n = 0, row_of_same = 0;
    row_of_same = M == last_m && N == last_n ? row_of_same + 1 : 0;
    last_m = M, last_n = N;
    const int terms = row_of_same >= 2 ? K / 2 : K;
    const dim3 grid((N + 15) / 16, (M + 15) / 16);
    gemm<<<grid, dim3(16, 16)>>>(A, B, C, M, N, K, terms, alpha, beta);
}
