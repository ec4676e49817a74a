// expect: RE misaligned
// Reads A eight halves at a time whatever K is: the rows of a
// ragged matrix do not start at multiples of 16 bytes.
#include <cuda_fp16.h>

struct alignas(16) Half8 {
    half at[8];
};

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    const half* a = A + size_t(row) * K;
    int k = 0;
    for (; k + 8 <= K; k += 8) {
        const Half8 v = *reinterpret_cast<const Half8*>(a + k);
        for (int i = 0; i < 8; ++i) {
            sum += __half2float(v.at[i]) * __half2float(B[size_t(k + i) * N + col]);
        }
    }
    for (; k < K; ++k) sum += __half2float(a[k]) * __half2float(B[size_t(k) * N + col]);
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + 15) / 16, (M + 15) / 16);
    gemm<<<grid, dim3(16, 16)>>>(A, B, C, M, N, K, alpha, beta);
}
