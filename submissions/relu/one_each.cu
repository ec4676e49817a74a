// ReLU: output = max(input, 0).
//
// Idea:   one thread an element.
// Launch: blocks of 256 threads, as many as it takes to cover N.
// Tails:  threads beyond N do nothing.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void relu(const float* input, float* output, int N) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N) output[i] = fmaxf(input[i], 0.0f);
}

extern "C" void solve(const float* input, float* output, int N) {
    relu<<<(N + THREADS - 1) / THREADS, THREADS>>>(input, output, N);
}
