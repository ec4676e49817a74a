// expect: WA mismatch
// Takes the colours to lie in three planes.
#include <cuda_runtime.h>

__global__ void grey(const float* input, float* output, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    output[i] = 0.299f * input[i] + 0.587f * input[pixels + i] + 0.114f * input[2 * pixels + i];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    int pixels = width * height;
    grey<<<(pixels + 255) / 256, 256>>>(input, output, pixels);
}
