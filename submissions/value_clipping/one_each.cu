// Value clipping: output = min(max(input, lo), hi).
//
// Idea:   one thread an element; minimum and maximum are one instruction each, and nobody branches.
// Launch: blocks of 256 threads, as many as it takes to cover N.
// Tails:  threads beyond N do nothing.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N) output[i] = fminf(fmaxf(input[i], lo), hi);
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
    clip<<<(N + THREADS - 1) / THREADS, THREADS>>>(input, output, lo, hi, N);
}
