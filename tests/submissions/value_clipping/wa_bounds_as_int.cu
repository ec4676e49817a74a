// expect: WA mismatch
// The kernel takes its bounds as int: -0.3 and 0.7 become 0.
#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, int lo, int hi, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) output[i] = input[i] < lo ? lo : input[i] > hi ? hi : input[i];
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
    clip<<<(N + 255) / 256, 256>>>(input, output, lo, hi, N);
}
