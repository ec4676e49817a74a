// expect: WA mismatch|stale|unwritten
// Adds in float, which has 24 bits, and converts the sum.
#include <cuda_runtime.h>

__global__ void add(const int* input, float* output, int N, int S, int E) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= S && i <= E) atomicAdd(output, (float)input[i]);
}

__global__ void store(const float* sum, int* output) { *output = (int)*sum; }

extern "C" void solve(const int* input, int* output, int N, int S, int E) {
    float* sum;
    cudaMalloc(&sum, sizeof(float));
    cudaMemset(sum, 0, sizeof(float));
    add<<<(N + 255) / 256, 256>>>(input, sum, N, S, E);
    store<<<1, 1>>>(sum, output);
    cudaFree(sum);
}
