// 1D convolution: output[i] = sum of input[i + j] * kernel[j].
//
// Idea:   one thread an output. A warp reads 32 neighbours of the input at once, and all of it the
//         same element of the kernel.
// Launch: blocks of 256 threads, as many as it takes to cover the output.
// Tails:  threads beyond the output do nothing.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void convolve(const float* input, const float* kernel, float* output, int output_size,
                         int kernel_size) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= output_size) return;
    float sum = 0.0f;
    for (int j = 0; j < kernel_size; ++j) sum += input[i + j] * kernel[j];
    output[i] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_size,
                      int kernel_size) {
    const int output_size = input_size - kernel_size + 1;
    convolve<<<(output_size + THREADS - 1) / THREADS, THREADS>>>(input, kernel, output, output_size,
                                                                 kernel_size);
}
