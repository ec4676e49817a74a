// expect: WA mismatch
// Brings only the 16 x 16 inputs of the block into shared memory: what lies beyond counts as zero.
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                         int kernel_rows, int kernel_cols) {
    __shared__ float window[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    window[y][x] = row < input_rows && col < input_cols ? input[row * input_cols + col] : 0.0f;
    __syncthreads();
    int output_rows = input_rows - kernel_rows + 1, output_cols = input_cols - kernel_cols + 1;
    if (row >= output_rows || col >= output_cols) return;
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows && y + i < 16; ++i)
        for (int j = 0; j < kernel_cols && x + j < 16; ++j) sum += window[y + i][x + j] * kernel[i * kernel_cols + j];
    output[row * output_cols + col] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    dim3 grid((input_cols + 15) / 16, (input_rows + 15) / 16);
    convolve<<<grid, dim3(16, 16)>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
}
