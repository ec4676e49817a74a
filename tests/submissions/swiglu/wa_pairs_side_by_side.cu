// expect: WA mismatch
// Takes elements 2 i and 2 i + 1 for the two halves.
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half) return;
    float x = input[2 * i];
    output[i] = x / (1.0f + expf(-x)) * input[2 * i + 1];
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    swiglu<<<(half + 255) / 256, 256>>>(input, output, half);
}
