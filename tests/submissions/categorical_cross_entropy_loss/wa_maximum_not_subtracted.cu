// expect: WA nonfinite|mismatch
// Takes the exponentials of the logits as they are.
#include <cuda_runtime.h>
#include <math.h>

__global__ void cross_entropy(const float* logits, const int* true_labels, float* loss, int N, int C) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= N) return;
    const float* mine = logits + (size_t)n * C;
    float largest = 0.0f, sum = 0.0f;
    for (int c = 0; c < C; ++c) sum += expf(mine[c] - largest);
    float cost = logf(sum) - mine[true_labels[n]];
    atomicAdd(loss, cost / N);
}

extern "C" void solve(const float* logits, const int* true_labels, float* loss, int N, int C) {
    cross_entropy<<<(N + 127) / 128, 128>>>(logits, true_labels, loss, N, C);
}
