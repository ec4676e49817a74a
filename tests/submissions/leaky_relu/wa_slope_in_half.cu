// expect: WA precision
// The slope comes from a half: 0.010002136.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const half slope = __float2half(0.01f);
    if (i < N) output[i] = input[i] > 0 ? input[i] : __half2float(slope) * input[i];
}

extern "C" void solve(const float* input, float* output, int N) {
    leaky_relu<<<(N + 255) / 256, 256>>>(input, output, N);
}
