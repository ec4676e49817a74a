// Quantized matrix multiplication: C = saturate(round(sum * scale) + zero_point_C).
//
// Idea:   one thread an element of C. Differences and sums are 32-bit integers, so they are exact;
//         a float comes in only when the sum is scaled.
// Launch: 16 x 16 threads a block, x along the columns of C.
// Tails:  threads beyond C do nothing.
//
// rung: 1
#include <cuda_runtime.h>
#include <stdint.h>

__global__ void multiply(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K,
                         float scale, int zero_point_A, int zero_point_B, int zero_point_C) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    int sum = 0;
    for (int k = 0; k < K; ++k)
        sum += (A[size_t(row) * K + k] - zero_point_A) * (B[size_t(k) * N + col] - zero_point_B);
    const int value = __float2int_rn(sum * scale) + zero_point_C;
    C[size_t(row) * N + col] = int8_t(min(max(value, -128), 127));
}

extern "C" void solve(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K,
                      float scale_A, float scale_B, float scale_C, int zero_point_A,
                      int zero_point_B, int zero_point_C) {
    const dim3 block(16, 16);
    const dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    multiply<<<grid, block>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A,
                              zero_point_B, zero_point_C);
}
