// expect: WA mismatch
// Row and column exchanged in the index of B.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && col < N) C[row * N + col] = A[row * N + col] + B[col * N + row];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (N + 15) / 16);
    add<<<grid, block>>>(A, B, C, N);
}
