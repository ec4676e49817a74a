// expect: WA mismatch|nonfinite|unwritten
// The rows of the output are taken to be as long as those of the input, wrapped to stay inside.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) output[(col * cols + row) % (rows * cols)] = input[row * cols + col];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16);
    dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
