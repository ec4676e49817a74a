// expect: WA not_zeroed
// Adds the products straight into C, which it never sets to zero.
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    for (int n = 0; n < N; ++n) C[row * K + col] += A[row * N + n] * B[n * K + col];
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16);
    dim3 grid((K + 15) / 16, (M + 15) / 16);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
