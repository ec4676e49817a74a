// expect: WA mismatch
// Takes the heads for an option: one attention over all d_model columns.
#include <cuda_runtime.h>
#include <math.h>

__global__ void attend(const float* Q, const float* K, const float* V, float* output, float* weights, int N, int d) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float* w = weights + (size_t)row * N;
    float largest = -INFINITY, sum = 0.0f;
    for (int j = 0; j < N; ++j) {
        w[j] = 0.0f;
        for (int c = 0; c < d; ++c) w[j] += Q[row * d + c] * K[j * d + c];
        w[j] /= sqrtf((float)d);
        largest = fmaxf(largest, w[j]);
    }
    for (int j = 0; j < N; ++j) sum += w[j] = expf(w[j] - largest);
    for (int c = 0; c < d; ++c) {
        float mean = 0.0f;
        for (int j = 0; j < N; ++j) mean += w[j] * V[j * d + c];
        output[row * d + c] = mean / sum;
    }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int h) {
    float* weights;
    cudaMalloc(&weights, (size_t)N * N * sizeof(float));
    attend<<<(N + 63) / 64, 64>>>(Q, K, V, output, weights, N, d_model);
    cudaFree(weights);
}
