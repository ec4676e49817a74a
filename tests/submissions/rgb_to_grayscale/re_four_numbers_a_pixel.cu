// expect: RE out_of_bounds
// expect gpu: WA mismatch
// Takes a pixel to be four numbers.
#include <cuda_runtime.h>

__global__ void grey(const float* input, float* output, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) output[i] = 0.299f * input[4 * i] + 0.587f * input[4 * i + 1] + 0.114f * input[4 * i + 2];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    int pixels = width * height;
    grey<<<(pixels + 255) / 256, 256>>>(input, output, pixels);
}
