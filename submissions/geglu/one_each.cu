// GEGLU: output = first half of input * gelu(second half).
//
// Idea:   one thread a pair. Both of its reads, N / 2 apart, have neighbours that the neighbouring
//         threads read.
// Launch: blocks of 256 threads, as many as it takes to cover N / 2 pairs.
// Tails:  threads beyond the last pair do nothing.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__device__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }  // sqrt(1/2)

__global__ void geglu(const float* input, float* output, int pairs) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < pairs) output[i] = input[i] * gelu(input[pairs + i]);
}

extern "C" void solve(const float* input, float* output, int N) {
    const int pairs = N / 2;
    geglu<<<(pairs + THREADS - 1) / THREADS, THREADS>>>(input, output, pairs);
}
