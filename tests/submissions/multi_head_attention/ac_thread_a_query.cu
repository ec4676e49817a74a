// expect: AC accepted
// Control: a thread for each query of each head, with an online softmax.
#include <cuda_runtime.h>
#include <math.h>

__global__ void attend(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, head = blockIdx.y, head_dim = d_model / h;
    if (row >= N) return;
    float largest = -INFINITY, sum = 0.0f, mean[128];
    for (int c = 0; c < head_dim; ++c) mean[c] = 0.0f;
    for (int j = 0; j < N; ++j) {
        float score = 0.0f;
        for (int c = 0; c < head_dim; ++c) score += Q[row * d_model + head * head_dim + c] * K[j * d_model + head * head_dim + c];
        score /= sqrtf((float)head_dim);
        float peak = fmaxf(largest, score), shrink = expf(largest - peak), weight = expf(score - peak);
        largest = peak;
        sum = sum * shrink + weight;
        for (int c = 0; c < head_dim; ++c) mean[c] = mean[c] * shrink + weight * V[j * d_model + head * head_dim + c];
    }
    for (int c = 0; c < head_dim; ++c) output[row * d_model + head * head_dim + c] = mean[c] / sum;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int h) {
    attend<<<dim3((N + 63) / 64, h), 64>>>(Q, K, V, output, N, d_model, h);
}
