// RGB to greyscale: output = 0.299 red + 0.587 green + 0.114 blue; both images lie in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void grey(const float* input, float* output, int pixels) {
    // Each thread finds its pixel and writes one element, if there is one.
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    int pixels = width * height;
    grey<<<(pixels + 255) / 256, 256>>>(input, output, pixels);
}
