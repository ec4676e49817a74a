// expect: WA mismatch
// Steps from one A to the next by M * N, the size of a C, wrapped to stay inside.
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int b = blockIdx.z;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    int size = gridDim.z * M * K;
    for (int k = 0; k < K; ++k)
        sum += A[(b * M * N + row * K + k) % size] * B[(b * K + k) * N + col];
    C[(b * M + row) * N + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16, BATCH);
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}
