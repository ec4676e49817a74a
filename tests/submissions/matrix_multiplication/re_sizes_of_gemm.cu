// expect: RE out_of_bounds|signal
// expect gpu: WA mismatch|guard_overwritten|unwritten|nonfinite|stale
// Takes the sizes as BLAS names them: A as M x K, B as K x N, C as M x N.
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
