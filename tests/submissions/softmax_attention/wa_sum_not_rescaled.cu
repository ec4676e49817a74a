// expect: WA mismatch
// Online softmax that forgets to shrink the sum of the weights at a new maximum.
#include <cuda_runtime.h>
#include <math.h>

__global__ void attend(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    __shared__ float keys[32][128], values[32][128];
    int row = blockIdx.x * 32 + threadIdx.x;
    float largest = -INFINITY, sum = 0.0f, mean[128];
    for (int c = 0; c < d; ++c) mean[c] = 0.0f;
    for (int first = 0; first < N; first += 32) {
        int j = first + threadIdx.x;
        for (int c = 0; c < d; ++c) {
            keys[threadIdx.x][c] = j < N ? K[j * d + c] : 0.0f;
            values[threadIdx.x][c] = j < N ? V[j * d + c] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < min(32, N - first); ++i) {
            float score = 0.0f;
            for (int c = 0; c < d; ++c) score += (row < M ? Q[row * d + c] : 0.0f) * keys[i][c];
            score /= sqrtf(d);
            float peak = fmaxf(largest, score), shrink = expf(largest - peak), weight = expf(score - peak);
            largest = peak;
            sum = sum * 1 + weight;
            for (int c = 0; c < d; ++c) mean[c] = mean[c] * shrink + weight * values[i][c];
        }
        __syncthreads();
    }
    for (int c = 0; c < d && row < M; ++c) output[row * d + c] = mean[c] / sum;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    attend<<<(M + 31) / 32, 32>>>(Q, K, V, output, M, N, d);
}
