// expect: WA unwritten|mismatch
// A thread a byte, but no more threads than pixels.
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels && i % 4 != 3) image[i] = 255 - image[i];
}

extern "C" void solve(unsigned char* image, int width, int height) {
    int pixels = width * height;
    invert<<<(pixels + 255) / 256, 256>>>(image, pixels);
}
