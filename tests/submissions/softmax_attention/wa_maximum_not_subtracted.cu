// expect: WA nonfinite
// Takes the exponentials of the scores as they are.
#include <cuda_runtime.h>
#include <math.h>

__global__ void attend(const float* Q, const float* K, const float* V, float* output, float* scores, int M, int N,
                       int d) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float* s = scores + (size_t)row * N;
    float sum = 0.0f;
    for (int j = 0; j < N; ++j) {
        float dot = 0.0f;
        for (int c = 0; c < d; ++c) dot += Q[row * d + c] * K[j * d + c];
        sum += s[j] = expf(dot / sqrtf(d));
    }
    for (int c = 0; c < d; ++c) {
        float mean = 0.0f;
        for (int j = 0; j < N; ++j) mean += s[j] * V[j * d + c];
        output[row * d + c] = mean / sum;
    }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    float* scores;
    cudaMalloc(&scores, (size_t)M * N * sizeof(float));
    attend<<<(M + 63) / 64, 64>>>(Q, K, V, output, scores, M, N, d);
    cudaFree(scores);
}
