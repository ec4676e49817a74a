// output[i] = input[i] * gelu(input[half + i]), where half = N / 2
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void geglu(const float* input, float* output, int half) {
    // Each thread finds its index and writes one element, if there is one.
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    geglu<<<(half + 255) / 256, 256>>>(input, output, half);
}
