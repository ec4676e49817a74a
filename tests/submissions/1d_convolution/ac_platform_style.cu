// expect: AC accepted
// Control: as people hand it in elsewhere: solve.h, no extern "C", a thread for each input.
#include "solve.h"
#include <cuda_runtime.h>

__global__ void convolution_1d_kernel(const float* input, const float* kernel, float* output, int input_size,
                                      int kernel_size) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < input_size - kernel_size + 1) {
        output[idx] = 0;
        for (int k = 0; k < kernel_size; k++) output[idx] += input[idx + k] * kernel[k];
    }
}

void solve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
    int threadsPerBlock = 256;
    int blocksPerGrid = (input_size + threadsPerBlock - 1) / threadsPerBlock;
    convolution_1d_kernel<<<blocksPerGrid, threadsPerBlock>>>(input, kernel, output, input_size, kernel_size);
    cudaDeviceSynchronize();
}
