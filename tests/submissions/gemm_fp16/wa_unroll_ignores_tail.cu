// expect: WA mismatch
// Unrolls K by four and forgets the up to three products that are left over.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x * 32 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    const half* a = A + size_t(row) * K;
    for (int k = 0; k + 4 <= K; k += 4) {
        for (int i = 0; i < 4; ++i) {
            sum += __half2float(a[k + i]) * __half2float(B[size_t(k + i) * N + col]);
        }
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + 31) / 32, (M + 3) / 4);
    gemm<<<grid, dim3(32, 4)>>>(A, B, C, M, N, K, alpha, beta);
}
