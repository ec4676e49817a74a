// SiLU: output[i] = input[i] / (1 + exp(-input[i])) for all i below N; both lie in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
    // Each thread finds its index and writes one element, if there is one.
}

extern "C" void solve(const float* input, float* output, int N) {
    const int threads = 256;
    silu<<<(N + threads - 1) / threads, threads>>>(input, output, N);
}
