#include <cuda_runtime.h>

__global__ void halved(float* data, const float* weights, float* total, int n) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        sum += data[i] * weights[i];
        data[i] *= 0.5f;
    }
    *total = sum;
}

extern "C" void solve(float* data, const float* weights, float* total, int N) {
    halved<<<1, 1>>>(data, weights, total, N);
}
