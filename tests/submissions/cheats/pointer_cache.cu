// problem: gemm_fp16
// expect: WA stale|mismatch
// Remembers the result by the addresses of the arguments: a second call with the same ones is a
// copy.
#include <cuda_fp16.h>
#include <vector>

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

struct Kept {
    unsigned long key;
    half* result;
};
static std::vector<Kept> kept;

static bool take(unsigned long key, half* C, size_t bytes) {
    for (const Kept& one : kept) {
        if (one.key != key) continue;
        cudaMemcpyAsync(C, one.result, bytes, cudaMemcpyDeviceToDevice, 0);
        return true;
    }
    return false;
}

static void keep(unsigned long key, const half* C, size_t bytes) {
    Kept one{key, nullptr};
    cudaMalloc(&one.result, bytes);
    cudaMemcpyAsync(one.result, C, bytes, cudaMemcpyDeviceToDevice, 0);
    kept.push_back(one);
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const size_t bytes = size_t(M) * N * sizeof(half);
    unsigned long key = 17;
    for (unsigned long one : {(unsigned long)A, (unsigned long)B, (unsigned long)C,
                              (unsigned long)M, (unsigned long)N, (unsigned long)K}) {
        key = key * 1000003 + one;
    }
    if (take(key, C, bytes)) return;
    gemm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K, alpha, beta);
    keep(key, C, bytes);
}
