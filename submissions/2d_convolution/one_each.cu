// 2D convolution: output[r, c] = sum of input[r + i, c + j] * kernel[i, j], row-major.
//
// Idea:   one thread an output, straight from global memory; what neighbours share is in the caches.
// Launch: 32 x 8 threads a block, x along the columns of the output.
// Tails:  threads beyond the output do nothing.
//
// rung: 1
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int output_rows,
                         int output_cols, int kernel_rows, int kernel_cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= output_rows || col >= output_cols) return;
    const int input_cols = output_cols + kernel_cols - 1;
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i) {
        const float* line = input + size_t(row + i) * input_cols + col;
        for (int j = 0; j < kernel_cols; ++j) sum += line[j] * kernel[i * kernel_cols + j];
    }
    output[size_t(row) * output_cols + col] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows,
                      int input_cols, int kernel_rows, int kernel_cols) {
    const int output_rows = input_rows - kernel_rows + 1, output_cols = input_cols - kernel_cols + 1;
    const dim3 block(32, 8);
    const dim3 grid((output_cols + block.x - 1) / block.x, (output_rows + block.y - 1) / block.y);
    convolve<<<grid, block>>>(input, kernel, output, output_rows, output_cols, kernel_rows,
                              kernel_cols);
}
