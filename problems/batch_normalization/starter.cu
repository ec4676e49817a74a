// Batch normalization: each column of input, N x C and row-major, to mean 0 and variance 1, then
// times gamma[c] plus beta[c]; statement.md has the details.
#include <cuda_runtime.h>

__global__ void normalize(const float* input, const float* gamma, const float* beta, float* output,
                          int N, int C, float eps) {
    // Each block finds its column, takes mean and variance, and writes the column.
}

extern "C" void solve(const float* input, const float* gamma, const float* beta, float* output,
                      int N, int C, float eps) {
    const int threads = 256;
    normalize<<<C, threads>>>(input, gamma, beta, output, N, C, eps);
}
