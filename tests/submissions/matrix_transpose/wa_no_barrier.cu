// expect: WA mismatch|nonfinite|unwritten
// Takes elements out of the shared tile that other threads may not have brought in yet.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[16][17];
    int row0 = blockIdx.y * 16, col0 = blockIdx.x * 16, x = threadIdx.x, y = threadIdx.y;
    if (row0 + y < rows && col0 + x < cols) tile[y][x] = input[(row0 + y) * cols + col0 + x];
    if (row0 + x < rows && col0 + y < cols) output[(col0 + y) * rows + row0 + x] = tile[x][y];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16);
    dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
