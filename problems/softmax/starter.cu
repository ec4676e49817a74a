// Softmax: output = exp(input) / sum(exp(input)); all arrays lie in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void softmax(const float* input, float* output, int N) {
    // The largest element first, then the sum, then the quotients: over all threads each.
}

extern "C" void solve(const float* input, float* output, int N) {
    softmax<<<1, 1024>>>(input, output, N);
}
