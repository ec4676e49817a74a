// expect: AC accepted
// Control: 96 KB of dynamic shared memory, asked for as the runtime wants it.
#include <cuda_fp16.h>

constexpr int ROWS = 6, COLS = 32, DEPTH = 4096;
constexpr int BYTES = ROWS * DEPTH * sizeof(float);

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    extern __shared__ float a_rows[];  // [ROWS][DEPTH]
    const int row = blockIdx.y * ROWS + threadIdx.y;
    const int col = blockIdx.x * COLS + threadIdx.x;
    float* a = a_rows + threadIdx.y * DEPTH;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        const int depth = min(DEPTH, K - k0);
        for (int k = threadIdx.x; k < depth; k += COLS) {
            a[k] = row < M ? __half2float(A[size_t(row) * K + k0 + k]) : 0.0f;
        }
        __syncthreads();
        if (col < N) {
            for (int k = 0; k < depth; ++k) sum += a[k] * __half2float(B[size_t(k0 + k) * N + col]);
        }
        __syncthreads();
    }
    if (row >= M || col >= N) return;
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
    const dim3 grid((N + COLS - 1) / COLS, (M + ROWS - 1) / ROWS);
    gemm<<<grid, dim3(COLS, ROWS), BYTES>>>(A, B, C, M, N, K, alpha, beta);
}
