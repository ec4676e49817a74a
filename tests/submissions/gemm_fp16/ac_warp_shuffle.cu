// expect: AC accepted
// Control: a warp an output; the lanes share K and add up by shuffles.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int lane = threadIdx.x;
    const size_t output = size_t(blockIdx.x) * blockDim.y + threadIdx.y;
    if (output >= size_t(M) * N) return;  // the same for all lanes of a warp
    const size_t row = output / N, col = output % N;
    float sum = 0.0f;
    for (int k = lane; k < K; k += 32) {
        sum += __half2float(A[row * K + k]) * __half2float(B[size_t(k) * N + col]);
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (lane == 0) C[output] = __float2half(alpha * sum + beta * __half2float(C[output]));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const size_t outputs = size_t(M) * N;
    gemm<<<unsigned((outputs + 3) / 4), dim3(32, 4)>>>(A, B, C, M, N, K, alpha, beta);
}
