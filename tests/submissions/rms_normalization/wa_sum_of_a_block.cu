// expect: WA mismatch|precision
// Every block normalizes by the sum of its own elements.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void normalize(const float* input, float gamma, float beta, float* output, int N, float eps) {
    __shared__ float part[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    const float mine = i < N ? input[i] : 0.0f;
    part[t] = mine * mine;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (i < N) output[i] = gamma * mine * rsqrtf(part[0] / N + eps) + beta;
}

extern "C" void solve(const float* input, float gamma, float beta, float* output, int N, float eps) {
    normalize<<<(N + THREADS - 1) / THREADS, THREADS>>>(input, gamma, beta, output, N, eps);
}
