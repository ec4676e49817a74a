// 1D convolution: output[i] = sum of input[i + j] * kernel[j] over all j below kernel_size.
// The output has input_size - kernel_size + 1 elements; statement.md has the details.
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int output_size,
                         int kernel_size) {
    // Each thread finds its index, sums up kernel_size products and writes one element.
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_size,
                      int kernel_size) {
    const int output_size = input_size - kernel_size + 1;
    const int threads = 256;
    convolve<<<(output_size + threads - 1) / threads, threads>>>(input, kernel, output, output_size,
                                                                 kernel_size);
}
