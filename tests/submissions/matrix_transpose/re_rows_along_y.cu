// expect: RE launch_limits
// A block for each row along y, where a grid has room for 65535.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < cols) output[col * rows + row] = input[row * cols + col];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<dim3((cols + 63) / 64, rows), 64>>>(input, output, rows, cols);
}
