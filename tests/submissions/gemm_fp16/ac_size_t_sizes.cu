// expect: AC accepted
// Control: takes the sizes as size_t where the problem says int.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, size_t M, size_t N, size_t K,
                     float alpha, float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= int(M) || col >= int(N)) return;
    float sum = 0.0f;
    for (size_t k = 0; k < K; ++k) {
        sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, size_t M, size_t N, size_t K,
                      float alpha, float beta) {
    const dim3 grid(unsigned((N + 15) / 16), unsigned((M + 15) / 16));
    gemm<<<grid, dim3(16, 16)>>>(A, B, C, M, N, K, alpha, beta);
}
