// expect: WA mismatch
// Walks along N in N / 16 whole tiles and forgets the rest.
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0.0f;
    for (int tile = 0; tile < N / 16; ++tile) {
        a[y][x] = row < M ? A[row * N + tile * 16 + x] : 0.0f;
        b[y][x] = col < K ? B[(tile * 16 + y) * K + col] : 0.0f;
        __syncthreads();
        for (int n = 0; n < 16; ++n) sum += a[y][n] * b[n][x];
        __syncthreads();
    }
    if (row < M && col < K) C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 grid((K + 15) / 16, (M + 15) / 16);
    multiply<<<grid, dim3(16, 16)>>>(A, B, C, M, N, K);
}
