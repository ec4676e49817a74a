// problem: gemm_fp16
// expect: gains nothing
// Works before it is called: a constructor starts a thread that computes on what it can find.
// There is nothing to find yet, since inputs exist from their call on.
#include <cuda_fp16.h>
#include <thread>

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

static volatile unsigned long work = 0;

__attribute__((constructor)) static void early() {
    std::thread([] {
        for (unsigned long i = 0; i < 100000000ul; ++i) work = work * 31 + i;
    }).detach();
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    gemm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K, alpha, beta);
}
