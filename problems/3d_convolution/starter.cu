// 3D convolution: output[z, y, x] = sum of input[z + i, y + j, x + k] * kernel[i, j, k].
// Each size of the output is that of the input less that of the kernel plus 1; statement.md has the
// details.
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_depth,
                         int input_rows, int input_cols, int kernel_depth, int kernel_rows,
                         int kernel_cols) {
    // Each thread finds its place in the output, sums up the box that begins there, and writes one
    // element.
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_depth,
                      int input_rows, int input_cols, int kernel_depth, int kernel_rows,
                      int kernel_cols) {
    const dim3 block(8, 8, 4);
    const dim3 grid((input_cols - kernel_cols) / block.x + 1, (input_rows - kernel_rows) / block.y + 1,
                    (input_depth - kernel_depth) / block.z + 1);
    convolve<<<grid, block>>>(input, kernel, output, input_depth, input_rows, input_cols,
                              kernel_depth, kernel_rows, kernel_cols);
}
