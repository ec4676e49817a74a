// expect: WA mismatch|precision|nonfinite
// The mean of the squares less the square of the mean, which cancels where the mean is large.
#include <cuda_runtime.h>

__global__ void normalize(const float* input, const float* gamma, const float* beta, float* output, int N, int C,
                          float eps) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= C) return;
    float mean = 0.0f, squares = 0.0f;
    for (int n = 0; n < N; ++n) mean += input[n * C + c];
    mean /= N;
    for (int n = 0; n < N; ++n) {
        float x = input[n * C + c];
        squares += x * x;
    }
    float var = squares / N - mean * mean;
    for (int n = 0; n < N; ++n) output[n * C + c] = gamma[c] * (input[n * C + c] - mean) / sqrtf(var + eps) + beta[c];
}

extern "C" void solve(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
    normalize<<<(C + 127) / 128, 128>>>(input, gamma, beta, output, N, C, eps);
}
