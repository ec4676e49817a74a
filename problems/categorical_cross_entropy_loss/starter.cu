// Categorical cross-entropy: the mean over all samples n of log(sum of exp(logits[n, c]) over c)
// less logits[n, true_labels[n]]; loss[0] is 0 before. statement.md has the details.
#include <cuda_runtime.h>

__global__ void cross_entropy(const float* logits, const int* true_labels, float* loss, int N,
                              int C) {
    // Each thread finds its sample and adds what it costs, over N, to the loss.
}

extern "C" void solve(const float* logits, const int* true_labels, float* loss, int N, int C) {
    const int threads = 128;
    cross_entropy<<<(N + threads - 1) / threads, threads>>>(logits, true_labels, loss, N, C);
}
