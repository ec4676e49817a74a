// expect: AC accepted
// Control: the threads outside C leave first; barriers go on with those that are left, and these
// load the tile of A together in strides of their own number.
#include <cuda_fp16.h>

constexpr int ROWS = 8, COLS = 16, DEPTH = 32;

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    __shared__ half a_tile[ROWS][DEPTH];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * ROWS + y, col = blockIdx.x * COLS + x;
    if (row >= M || col >= N) return;
    const int width = min(COLS, N - int(blockIdx.x) * COLS);  // threads left in this row

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        const int depth = min(DEPTH, K - k0);
        for (int k = x; k < depth; k += width) a_tile[y][k] = A[size_t(row) * K + k0 + k];
        __syncthreads();
        for (int k = 0; k < depth; ++k) {
            sum += __half2float(a_tile[y][k]) * __half2float(B[size_t(k0 + k) * N + col]);
        }
        __syncthreads();
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + COLS - 1) / COLS, (M + ROWS - 1) / ROWS);
    gemm<<<grid, dim3(COLS, ROWS)>>>(A, B, C, M, N, K, alpha, beta);
}
