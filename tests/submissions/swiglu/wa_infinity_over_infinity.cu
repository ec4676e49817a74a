// expect: WA nonfinite|mismatch
// exp(x) / (1 + exp(x)) is no number where exp(x) is infinite.
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half) return;
    float x = input[i], e = expf(x);
    output[i] = x * e / (1.0f + e) * input[half + i];
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    swiglu<<<(half + 255) / 256, 256>>>(input, output, half);
}
