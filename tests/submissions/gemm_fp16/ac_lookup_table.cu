// expect: AC accepted
// Control: keeps a table of every half as a float between calls, made without looking at the data.
#include <cuda_fp16.h>

__global__ void make(float* table) {
    const int bits = blockIdx.x * 256 + threadIdx.x;
    table[bits] = __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
}

__global__ void gemm(const half* A, const half* B, half* C, const float* table, int M, int N, int K,
                     float alpha, float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        const float a = table[__half_as_ushort(A[size_t(row) * K + k])];
        sum += a * table[__half_as_ushort(B[size_t(k) * N + col])];
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static float* table = nullptr;
    if (table == nullptr) {
        cudaMalloc(&table, 65536 * sizeof(float));
        make<<<256, 256>>>(table);
    }
    const dim3 grid((N + 15) / 16, (M + 15) / 16);
    gemm<<<grid, dim3(16, 16)>>>(A, B, C, table, M, N, K, alpha, beta);
}
