// expect: AC accepted
// Control: blocks share K and add their parts to a float workspace by atomics.
#include <cuda_fp16.h>

__global__ void multiply(const half* A, const half* B, float* sums, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = blockIdx.z; k < K; k += gridDim.z) {
        sum += __half2float(A[size_t(row) * K + k]) * __half2float(B[size_t(k) * N + col]);
    }
    atomicAdd(&sums[size_t(row) * N + col], sum);
}

__global__ void combine(const float* sums, half* C, size_t outputs, float alpha, float beta) {
    const size_t stride = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < outputs; i += stride) {
        C[i] = __float2half(alpha * sums[i] + beta * __half2float(C[i]));
    }
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const size_t outputs = size_t(M) * N;
    float* sums = nullptr;
    cudaMalloc(&sums, outputs * sizeof(float));
    cudaMemset(sums, 0, outputs * sizeof(float));
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16, 3), dim3(16, 16)>>>(A, B, sums, M, N, K);
    combine<<<8, 192>>>(sums, C, outputs, alpha, beta);
    cudaFree(sums);
}
