// expect: WA mismatch
// Centres the kernel on each element, with zeros around the input.
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (i + kernel_size > input_size) return;
    for (int j = 0; j < kernel_size; ++j) {
        int at = i + j - kernel_size / 2;
        if (at >= 0 && at < input_size) sum += input[at] * kernel[j];
    }
    output[i] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
    int outputs = input_size - kernel_size + 1;
    convolve<<<(outputs + 255) / 256, 256>>>(input, kernel, output, input_size, kernel_size);
}
