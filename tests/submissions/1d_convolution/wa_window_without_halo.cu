// expect: WA mismatch
// Brings only the block's own 256 inputs into shared memory: what lies beyond counts as zero.
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
    __shared__ float window[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    window[threadIdx.x] = i < input_size ? input[i] : 0.0f;
    __syncthreads();
    if (i + kernel_size > input_size) return;
    float sum = 0.0f;
    for (int j = 0; j < kernel_size; ++j) {
        int at = threadIdx.x + j;
        sum += (at < 256 ? window[at] : 0.0f) * kernel[j];
    }
    output[i] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
    int outputs = input_size - kernel_size + 1;
    convolve<<<(outputs + 255) / 256, 256>>>(input, kernel, output, input_size, kernel_size);
}
