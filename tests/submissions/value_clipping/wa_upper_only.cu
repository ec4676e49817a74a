// expect: WA mismatch
// Overwrites what the lower bound did: starts from the input again.
#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    output[i] = fmaxf(input[i], lo);
    output[i] = fminf(input[i], hi);
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
    clip<<<(N + 255) / 256, 256>>>(input, output, lo, hi, N);
}
