#include <cuda_fp16.h>

__global__ void gemv(const half* A, const half* x, half* y, float alpha, float beta, int M, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += __half2float(A[i * K + k]) * __half2float(x[k]);
    y[i] = __float2half(alpha * sum);
}

extern "C" void solve(const half* A, const half* x, half* y, float alpha, float beta, int M, int K) {
    gemv<<<(M + 127) / 128, 128>>>(A, x, y, alpha, beta, M, K);
}
