// expect: WA unwritten
// Four elements a thread and nobody for the last N % 4.
#include <cuda_runtime.h>

__global__ void relu(const float4* input, float4* output, int quads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads) return;
    float4 x = input[i];
    output[i] = make_float4(fmaxf(x.x, 0), fmaxf(x.y, 0), fmaxf(x.z, 0), fmaxf(x.w, 0));
}

extern "C" void solve(const float* input, float* output, int N) {
    int quads = N / 4;
    relu<<<(quads + 256) / 256, 256>>>((const float4*)input, (float4*)output, quads);
}
