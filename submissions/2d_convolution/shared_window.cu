// 2D convolution: output[r, c] = sum of input[r + i, c + j] * kernel[i, j], row-major.
//
// Idea:   the windows of a block's outputs cover a part of the input that is the block and a border
//         below and to the right of it. The block brings it into shared memory once. The kernel
//         lies in constant memory, made for all threads of a warp reading the same element.
// Launch: 32 x 8 threads a block, one output each; shared memory for (32 + kernel_cols - 1) x
//         (8 + kernel_rows - 1) floats, 9.2 KiB for the largest kernel.
// Tails:  beyond the input the window holds zeros that no output uses; nobody leaves before the
//         barrier.
//
// rung: 2
#include <cuda_runtime.h>

constexpr int COLS = 32, ROWS = 8, LARGEST = 31;

__constant__ float weights[LARGEST * LARGEST];

__global__ void convolve(const float* input, float* output, int input_rows, int input_cols,
                         int kernel_rows, int kernel_cols) {
    extern __shared__ float window[];
    const int row0 = blockIdx.y * ROWS, col0 = blockIdx.x * COLS;  // corner of the block's window
    const int height = ROWS + kernel_rows - 1, width = COLS + kernel_cols - 1;
    for (int y = threadIdx.y; y < height; y += ROWS) {
        for (int x = threadIdx.x; x < width; x += COLS) {
            const int row = row0 + y, col = col0 + x;
            const bool inside = row < input_rows && col < input_cols;
            window[y * width + x] = inside ? input[size_t(row) * input_cols + col] : 0.0f;
        }
    }
    __syncthreads();  // the window is whole

    const int output_rows = input_rows - kernel_rows + 1, output_cols = input_cols - kernel_cols + 1;
    const int row = row0 + threadIdx.y, col = col0 + threadIdx.x;
    if (row >= output_rows || col >= output_cols) return;
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i) {
        const float* line = window + (threadIdx.y + i) * width + threadIdx.x;
        for (int j = 0; j < kernel_cols; ++j) sum += line[j] * weights[i * kernel_cols + j];
    }
    output[size_t(row) * output_cols + col] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows,
                      int input_cols, int kernel_rows, int kernel_cols) {
    const int output_rows = input_rows - kernel_rows + 1, output_cols = input_cols - kernel_cols + 1;
    const size_t taps = kernel_rows * kernel_cols;
    cudaMemcpyToSymbol(weights, kernel, taps * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    const dim3 grid((output_cols + COLS - 1) / COLS, (output_rows + ROWS - 1) / ROWS);
    const size_t bytes = (COLS + kernel_cols - 1) * (ROWS + kernel_rows - 1) * sizeof(float);
    convolve<<<grid, dim3(COLS, ROWS), bytes>>>(input, output, input_rows, input_cols, kernel_rows,
                                                kernel_cols);
}
