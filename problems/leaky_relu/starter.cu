// Leaky ReLU: output[i] = input[i] where it is positive, else 0.01 * input[i]; both lie in device
// memory. statement.md has the details.
#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
    // Each thread finds its index and writes one element, if there is one.
}

extern "C" void solve(const float* input, float* output, int N) {
    const int threads = 256;
    leaky_relu<<<(N + threads - 1) / threads, threads>>>(input, output, N);
}
