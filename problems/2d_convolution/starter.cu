// 2D convolution: output[r, c] = sum of input[r + i, c + j] * kernel[i, j], row-major.
// The output has input_rows - kernel_rows + 1 rows and input_cols - kernel_cols + 1 columns;
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_rows,
                         int input_cols, int kernel_rows, int kernel_cols) {
    // Each thread finds its row and column of the output, sums up the window that begins there, and
    // writes one element.
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows,
                      int input_cols, int kernel_rows, int kernel_cols) {
    const int output_rows = input_rows - kernel_rows + 1, output_cols = input_cols - kernel_cols + 1;
    const dim3 block(16, 16);
    const dim3 grid((output_cols + block.x - 1) / block.x, (output_rows + block.y - 1) / block.y);
    convolve<<<grid, block>>>(input, kernel, output, input_rows, input_cols, kernel_rows,
                              kernel_cols);
}
