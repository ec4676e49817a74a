// Reduction: output[0] = the sum of input; all arrays lie in device memory, and output holds zero.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void total(const float* input, float* output, int N) {
    // Threads sum up a part each, blocks put the parts together and add to output[0].
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N + 255) / 256;
    total<<<blocks < 1024 ? blocks : 1024, 256>>>(input, output, N);
}
