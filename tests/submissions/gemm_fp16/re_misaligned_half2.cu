// expect: RE misaligned
// Two halves at once by half2, though a row of A begins at an odd element where K is odd.
#include <cuda_fp16.h>
__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float s = 0;
    int p = 0;
    for (; p + 1 < K; p += 2) {
        half2 a = *reinterpret_cast<const half2*>(A + r * K + p);
        s += __low2float(a) * __half2float(B[p * N + c]) + __high2float(a) * __half2float(B[(p + 1) * N + c]);
    }
    if (p < K) s += __half2float(A[r * K + p]) * __half2float(B[p * N + c]);
    C[r * N + c] = __float2half(alpha * s + beta * __half2float(C[r * N + c]));
}
extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
    dim3 b(16, 16), g((N + 15) / 16, (M + 15) / 16);
    gemm<<<g, b>>>(A, B, C, M, N, K, alpha, beta);
}
