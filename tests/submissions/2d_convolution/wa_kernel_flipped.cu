// expect: WA mismatch
// Convolution as image processing has it: the kernel runs backwards, both ways.
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                         int kernel_rows, int kernel_cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int output_rows = input_rows - kernel_rows + 1, output_cols = input_cols - kernel_cols + 1;
    if (row >= output_rows || col >= output_cols) return;
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i)
        for (int j = 0; j < kernel_cols; ++j)
            sum += input[(row + i) * input_cols + col + j] *
                   kernel[(kernel_rows - 1 - i) * kernel_cols + kernel_cols - 1 - j];
    output[row * output_cols + col] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    dim3 block(16, 16);
    dim3 grid((input_cols + 15) / 16, (input_rows + 15) / 16);
    convolve<<<grid, block>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
}
