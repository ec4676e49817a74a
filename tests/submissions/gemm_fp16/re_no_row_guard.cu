// expect: RE out_of_bounds
// expect gpu: WA guard_overwritten|input_modified
// Guards the columns and not the rows: rows behind M are read and written. A GPU only sees the
// guard band, for what lies there is memory of the same process.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int row = blockIdx.y * 64 + threadIdx.y;
    const int col = blockIdx.x * 4 + threadIdx.x;
    if (col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        sum += __half2float(A[size_t(row) * K + k]) * __half2float(B[size_t(k) * N + col]);
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + 3) / 4, (M + 63) / 64);
    gemm<<<grid, dim3(4, 64)>>>(A, B, C, M, N, K, alpha, beta);
}
