// expect: WA nonfinite
// x * e / (1 + e) with e = exp(x): the same number, until e is infinite and the quotient NaN.
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float e = expf(input[i]);
    output[i] = input[i] * e / (1.0f + e);
}

extern "C" void solve(const float* input, float* output, int N) {
    silu<<<(N + 255) / 256, 256>>>(input, output, N);
}
