// Matrix addition: C = A + B, N x N, row-major.
//
// Idea:   one thread an element of the matrix; x runs along a row, so that a warp reads 32
//         neighbours.
// Launch: 32 x 8 threads a block, one block for each 8 rows and 32 columns.
// Tails:  threads beyond the last row or column do nothing.
//
// rung: 1
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N) return;
    const size_t i = size_t(row) * N + col;
    C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    const dim3 block(32, 8);
    const dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
    add<<<grid, block>>>(A, B, C, N);
}
