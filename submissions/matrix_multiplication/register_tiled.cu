// Matrix multiplication: C = A * B; A is M x N, B is N x K, C is M x K, row-major.
//
// Idea:   a thread computes 4 x 4 elements of C from 4 values of A and 4 of B held in registers: 16
//         multiplications for 8 reads of shared memory, where tiled.cu has one for two.
// Launch: 256 threads a block, seen as 16 x 16, for each 64 x 64 part of C; N in steps of 16. The
//         tile of A is stored transposed, so that both are read along n in the same way.
// Tails:  elements beyond a matrix are zeros in the tiles; the store asks for M and K.
//
// rung: 3
#include <cuda_runtime.h>

constexpr int ROWS = 64, COLS = 64, DEPTH = 16;  // of the part of C, and of a step along N
constexpr int EACH = 4;                          // rows and columns of a thread
constexpr int THREADS = (ROWS / EACH) * (COLS / EACH);

__global__ void __launch_bounds__(THREADS)
    multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[DEPTH][ROWS + 1];  // the odd pitch spreads a column over the banks
    __shared__ float b_tile[DEPTH][COLS];
    const int row0 = blockIdx.y * ROWS, col0 = blockIdx.x * COLS;
    const int y = threadIdx.x / (COLS / EACH) * EACH, x = threadIdx.x % (COLS / EACH) * EACH;

    float sum[EACH][EACH] = {};
    for (int n0 = 0; n0 < N; n0 += DEPTH) {
        for (int i = threadIdx.x; i < ROWS * DEPTH; i += THREADS) {
            const int row = row0 + i / DEPTH, n = n0 + i % DEPTH;
            a_tile[i % DEPTH][i / DEPTH] = row < M && n < N ? A[size_t(row) * N + n] : 0.0f;
        }
        for (int i = threadIdx.x; i < DEPTH * COLS; i += THREADS) {
            const int n = n0 + i / COLS, col = col0 + i % COLS;
            b_tile[i / COLS][i % COLS] = n < N && col < K ? B[size_t(n) * K + col] : 0.0f;
        }
        __syncthreads();  // both tiles are whole
        for (int n = 0; n < DEPTH; ++n) {
            float a[EACH], b[EACH];
            for (int i = 0; i < EACH; ++i) a[i] = a_tile[n][y + i];
            for (int j = 0; j < EACH; ++j) b[j] = b_tile[n][x + j];
            for (int i = 0; i < EACH; ++i)
                for (int j = 0; j < EACH; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();  // nobody needs them any more
    }

    for (int i = 0; i < EACH; ++i) {
        for (int j = 0; j < EACH; ++j) {
            const int row = row0 + y + i, col = col0 + x + j;
            if (row < M && col < K) C[size_t(row) * K + col] = sum[i][j];
        }
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 grid((K + COLS - 1) / COLS, (M + ROWS - 1) / ROWS);
    multiply<<<grid, THREADS>>>(A, B, C, M, N, K);
}
