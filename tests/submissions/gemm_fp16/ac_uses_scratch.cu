// expect: AC accepted
// Control: keeps the sums in device memory of its own, allocated and freed in each call.
#include <cuda_fp16.h>

__global__ void multiply(const half* A, const half* B, float* sums, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        sum += __half2float(A[size_t(row) * K + k]) * __half2float(B[size_t(k) * N + col]);
    }
    sums[size_t(row) * N + col] = sum;
}

__global__ void combine(const float* sums, half* C, size_t outputs, float alpha, float beta) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < outputs) C[i] = __float2half(alpha * sums[i] + beta * __half2float(C[i]));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const size_t outputs = size_t(M) * N;
    float* sums = nullptr;
    cudaMalloc(&sums, outputs * sizeof(float));
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, sums, M, N, K);
    combine<<<unsigned((outputs + 127) / 128), 128>>>(sums, C, outputs, alpha, beta);
    cudaFree(sums);
}
