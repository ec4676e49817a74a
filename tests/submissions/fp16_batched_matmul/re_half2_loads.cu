// expect: RE misaligned|out_of_bounds|signal
// Reads two halves at a time along the rows of A, as if every row began at an even element.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void multiply(const half* A, const half* B, half* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    A += (size_t)blockIdx.z * M * K, B += (size_t)blockIdx.z * K * N, C += (size_t)blockIdx.z * M * N;
    float sum = 0.0f;
    int k = 0;
    for (; k + 1 < K; k += 2) {
        float2 a = __half22float2(*(const half2*)(A + row * K + k));
        sum += a.x * __half2float(B[k * N + col]) + a.y * __half2float(B[(k + 1) * N + col]);
    }
    if (k < K) sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = __float2half(sum);
}

extern "C" void solve(const half* A, const half* B, half* C, int BATCH, int M, int N, int K) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16, BATCH);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
