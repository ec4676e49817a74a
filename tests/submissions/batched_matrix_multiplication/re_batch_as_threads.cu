// expect: RE launch_limits
// The whole batch along z of one block, which has room for 64.
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y, col = blockIdx.x, b = threadIdx.z;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[(b * M + row) * K + k] * B[(b * K + k) * N + col];
    C[(b * M + row) * N + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    multiply<<<dim3(N, M), dim3(1, 1, BATCH)>>>(A, B, C, M, N, K);
}
