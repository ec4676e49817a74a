// Colour inversion: 255 minus each of red, green and blue of an RGBA image, in place.
//
// Idea:   255 - x turns all bits of a byte round, and a pixel is one 32-bit word with alpha in its
//         highest byte: one exclusive or inverts three bytes at once.
// Launch: one thread a pixel, blocks of 256 threads, as many as it takes to cover the image.
// Tails:  threads beyond the last pixel do nothing.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void invert(unsigned int* image, int pixels) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < pixels) image[i] ^= 0x00FFFFFFu;
}

extern "C" void solve(unsigned char* image, int width, int height) {
    const int pixels = width * height;
    invert<<<(pixels + THREADS - 1) / THREADS, THREADS>>>(reinterpret_cast<unsigned int*>(image),
                                                          pixels);
}
