// expect: WA mismatch
// Gates the first half.
#include <cuda_runtime.h>

__device__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }

__global__ void geglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) output[i] = input[half + i] * gelu(input[i]);
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    geglu<<<(half + 255) / 256, 256>>>(input, output, half);
}
