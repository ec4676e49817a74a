// expect: WA mismatch
// The mean of the three colours.
#include <cuda_runtime.h>

__global__ void grey(const float* input, float* output, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) output[i] = (input[3 * i] + input[3 * i + 1] + input[3 * i + 2]) / 3;
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    int pixels = width * height;
    grey<<<(pixels + 255) / 256, 256>>>(input, output, pixels);
}
