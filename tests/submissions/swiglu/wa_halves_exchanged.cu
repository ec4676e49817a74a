// expect: WA mismatch
// Gates the second half.
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half) return;
    float x = input[half + i];
    output[i] = x / (1.0f + expf(-x)) * input[i];
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    swiglu<<<(half + 255) / 256, 256>>>(input, output, half);
}
