// Quantized matrix multiplication: A is M x K, B is K x N, C is M x N, row-major 8-bit integers.
// C = saturate(round((A - zero_point_A) * (B - zero_point_B) * scale_A * scale_B / scale_C)
//              + zero_point_C); statement.md has the details.
#include <cuda_runtime.h>

__global__ void multiply(const signed char* A, const signed char* B, signed char* C, int M, int N,
                         int K, float scale, int zero_point_A, int zero_point_B, int zero_point_C) {
    // Each thread finds its row and column of C, sums up K products of integers, and scales,
    // rounds and stores the sum.
}

extern "C" void solve(const signed char* A, const signed char* B, signed char* C, int M, int N,
                      int K, float scale_A, float scale_B, float scale_C, int zero_point_A,
                      int zero_point_B, int zero_point_C) {
    const dim3 block(16, 16);
    const dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    multiply<<<grid, block>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A,
                              zero_point_B, zero_point_C);
}
