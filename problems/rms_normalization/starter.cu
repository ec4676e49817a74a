// RMS normalization: output = gamma * input / sqrt(mean(input^2) + eps) + beta; all arrays lie in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void normalize(const float* input, float gamma, float beta, float* output, int N, float eps) {
    // The sum of squares over all threads first, then each element.
}

extern "C" void solve(const float* input, float gamma, float beta, float* output, int N, float eps) {
    normalize<<<1, 1024>>>(input, gamma, beta, output, N, eps);
}
