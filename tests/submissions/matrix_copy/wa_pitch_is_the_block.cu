// expect: WA unwritten|mismatch
// Takes the width of the grid in threads for the distance between two rows.
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int pitch = gridDim.x * blockDim.x;
    int i = row * pitch + col;
    if (col < N && row < N && i < N * N) B[i] = A[i];
}

extern "C" void solve(const float* A, float* B, int N) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (N + 15) / 16);
    copy<<<grid, block>>>(A, B, N);
}
