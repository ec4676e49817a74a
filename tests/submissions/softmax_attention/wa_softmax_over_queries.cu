// expect: WA mismatch
// Normalises each column of the scores, over the queries, where it should be each row.
#include <cuda_runtime.h>
#include <math.h>

__global__ void weights(const float* Q, const float* K, float* w, int M, int N, int d) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= N) return;
    float largest = -INFINITY, sum = 0.0f;
    for (int i = 0; i < M; ++i) {
        float dot = 0.0f;
        for (int c = 0; c < d; ++c) dot += Q[i * d + c] * K[j * d + c];
        w[(size_t)i * N + j] = dot / sqrtf(d);
        largest = fmaxf(largest, w[(size_t)i * N + j]);
    }
    for (int i = 0; i < M; ++i) sum += w[(size_t)i * N + j] = expf(w[(size_t)i * N + j] - largest);
    for (int i = 0; i < M; ++i) w[(size_t)i * N + j] /= sum;
}

__global__ void weigh(const float* w, const float* V, float* output, int M, int N, int d) {
    int i = blockIdx.x, c = threadIdx.x;
    float mean = 0.0f;
    for (int j = 0; j < N; ++j) mean += w[(size_t)i * N + j] * V[j * d + c];
    output[i * d + c] = mean;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    float* w;
    cudaMalloc(&w, (size_t)M * N * sizeof(float));
    weights<<<(N + 63) / 64, 64>>>(Q, K, w, M, N, d);
    weigh<<<M, d>>>(w, V, output, M, N, d);
    cudaFree(w);
}
