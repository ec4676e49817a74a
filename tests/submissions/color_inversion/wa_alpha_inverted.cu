// expect: WA mismatch
// Inverts alpha as well.
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) reinterpret_cast<unsigned*>(image)[i] ^= 0xFFFFFFFFu;
}

extern "C" void solve(unsigned char* image, int width, int height) {
    int pixels = width * height;
    invert<<<(pixels + 255) / 256, 256>>>(image, pixels);
}
