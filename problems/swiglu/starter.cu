// output[i] = silu(input[i]) * input[half + i], where half = N / 2
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    // Each thread finds its index and writes one element, if there is one.
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    swiglu<<<(half + 255) / 256, 256>>>(input, output, half);
}
