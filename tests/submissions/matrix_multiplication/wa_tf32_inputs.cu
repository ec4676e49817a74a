// expect: WA precision
// Cuts the inputs to the 11 bits that TF32 keeps, as tensor cores do with float matrices.
#include <cuda_runtime.h>

__device__ float tf32(float x) { return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u); }

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) sum += tf32(A[row * N + n]) * tf32(B[n * K + col]);
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16);
    dim3 grid((K + 15) / 16, (M + 15) / 16);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
