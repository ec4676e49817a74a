// Reverse an array: input[i] and input[N - 1 - i] change places; it lies in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    // Each thread finds the two elements that it exchanges, if there are any.
}

extern "C" void solve(float* input, int N) {
    const int threads = 256;
    reverse<<<(N + threads - 1) / threads, threads>>>(input, N);
}
