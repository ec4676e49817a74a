// expect: WA mismatch
// Layer normalization: mean and variance of each row.
#include <cuda_runtime.h>

__global__ void normalize(const float* input, const float* gamma, const float* beta, float* output, int N, int C,
                          float eps) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= N) return;
    float mean = 0.0f, var = 0.0f;
    for (int c = 0; c < C; ++c) mean += input[n * C + c] / C;
    for (int c = 0; c < C; ++c) var += (input[n * C + c] - mean) * (input[n * C + c] - mean) / C;
    for (int c = 0; c < C; ++c)
        output[n * C + c] = gamma[c] * (input[n * C + c] - mean) / sqrtf(var + eps) + beta[c];
}

extern "C" void solve(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
    normalize<<<(N + 127) / 128, 128>>>(input, gamma, beta, output, N, C, eps);
}
