// expect: WA mismatch|stale
// Multiplies the elements as they are stored.
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

__global__ void multiply(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K, float scale_A, float scale_B,
                         float scale_C, int zero_point_A, int zero_point_B, int zero_point_C) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    int sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    int q = __float2int_rn(sum * (scale_A * scale_B / scale_C)) + zero_point_C;
    C[row * N + col] = min(max(q, -128), 127);
}

extern "C" void solve(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K, float scale_A, float scale_B,
                      float scale_C, int zero_point_A, int zero_point_B, int zero_point_C) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16);
    multiply<<<grid, block>>>(A, B, C, M, N, K, scale_A, scale_B, scale_C, zero_point_A, zero_point_B, zero_point_C);
}
