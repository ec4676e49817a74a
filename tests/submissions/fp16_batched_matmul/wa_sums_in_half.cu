// expect: WA precision|mismatch
// Keeps the sum in half, which has 11 bits.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void multiply(const half* A, const half* B, half* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int b = blockIdx.z;
    if (row >= M || col >= N) return;
    half sum = __float2half(0.0f);
    for (int k = 0; k < K; ++k) sum = __hfma(A[(b * M + row) * K + k], B[(b * K + k) * N + col], sum);
    C[(b * M + row) * N + col] = sum;
}

extern "C" void solve(const half* A, const half* B, half* C, int BATCH, int M, int N, int K) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16, BATCH);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
