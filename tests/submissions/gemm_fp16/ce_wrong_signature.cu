// expect: CE signature|compile
// solve takes float matrices, the problem gives half.

__global__ void gemm(const float* A, const float* B, float* C, int M, int N, int K, float alpha,
                     float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[size_t(row) * K + k] * B[size_t(k) * N + col];
    float* c = C + size_t(row) * N + col;
    *c = alpha * sum + beta * *c;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K, float alpha,
                      float beta) {
    const dim3 grid((N + 15) / 16, (M + 15) / 16);
    gemm<<<grid, dim3(16, 16)>>>(A, B, C, M, N, K, alpha, beta);
}
