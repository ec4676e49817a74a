// expect: WA mismatch|nonfinite
// expect gpu: luck
// Sums over K by the lanes of a warp through volatile shared memory, without __syncwarp(): right where
// lanes run in step, which CUDA does not promise.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
    volatile __shared__ float sums[4][64];
    volatile float* s = sums[threadIdx.y];
    const int lane = threadIdx.x, element = blockIdx.x * 4 + threadIdx.y;
    if (element >= M * N) return;
    const int row = element / N, col = element % N;
    float sum = 0;
    for (int k = lane; k < K; k += 32)
        sum += __half2float(A[(size_t)row * K + k]) * __half2float(B[(size_t)k * N + col]);
    s[lane] = sum;
    s[lane + 32] = 0;
    s[lane] += s[lane + 16];
    s[lane] += s[lane + 8];
    s[lane] += s[lane + 4];
    s[lane] += s[lane + 2];
    s[lane] += s[lane + 1];
    if (lane == 0)
        C[element] = __float2half(alpha * s[0] + beta * __half2float(C[element]));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
    gemm<<<(M * N + 3) / 4, dim3(32, 4)>>>(A, B, C, M, N, K, alpha, beta);
}
