// expect: WA unwritten|mismatch
// Turns each tile round and puts it back where it came from.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[16][17];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = input[row * cols + col];
    __syncthreads();
    if (row < cols && col < rows) output[row * rows + col] = tile[threadIdx.x][threadIdx.y];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16);
    dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
