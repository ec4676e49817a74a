// Colour inversion: 255 minus each of red, green and blue; alpha stays. The image lies in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int pixels) {
    // Each thread finds its pixel and inverts three of its four bytes, if there is one.
}

extern "C" void solve(unsigned char* image, int width, int height) {
    int pixels = width * height;
    invert<<<(pixels + 255) / 256, 256>>>(image, pixels);
}
