// expect: WA mismatch
// Steps over A by the size of a B and over B by the size of an A, wrapped to stay inside.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void multiply(const half* A, const half* B, half* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int b = blockIdx.z;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    int size_a = gridDim.z * M * K, size_b = gridDim.z * K * N;
    for (int k = 0; k < K; ++k)
        sum += __half2float(A[(b * K * N + row * K + k) % size_a]) *
               __half2float(B[(b * M * K + k * N + col) % size_b]);
    C[(b * M + row) * N + col] = __float2half(sum);
}

extern "C" void solve(const half* A, const half* B, half* C, int BATCH, int M, int N, int K) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16, BATCH);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
