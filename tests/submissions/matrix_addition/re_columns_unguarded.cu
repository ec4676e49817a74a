// expect: RE out_of_bounds
// expect gpu: WA guard_overwritten|input_modified
// Guards the rows and not the columns: beyond a row lies the next one, beyond the last row nothing.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N) C[row * N + col] = A[row * N + col] + B[row * N + col];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (N + 15) / 16);
    add<<<grid, block>>>(A, B, C, N);
}
