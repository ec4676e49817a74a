// ReLU: output = max(input, 0).
//
// Idea:   a fixed number of threads walks over the vector in steps of their own number, four floats
//         at a time: what a thread sets up once serves many elements.
// Launch: 256 threads a block, enough blocks for one step each but no more than 2048.
// Tails:  the last N % 4 elements go to the first threads, one each.
//
// rung: 2
#include <cuda_runtime.h>

constexpr int THREADS = 256, MOST_BLOCKS = 2048;

__global__ void relu(const float* input, float* output, int N) {
    const int first = blockIdx.x * THREADS + threadIdx.x, step = gridDim.x * THREADS;
    for (int i = first; i < N / 4; i += step) {
        const float4 x = reinterpret_cast<const float4*>(input)[i];
        reinterpret_cast<float4*>(output)[i] =
            make_float4(fmaxf(x.x, 0.0f), fmaxf(x.y, 0.0f), fmaxf(x.z, 0.0f), fmaxf(x.w, 0.0f));
    }
    const int tail = N / 4 * 4 + first;
    if (tail < N) output[tail] = fmaxf(input[tail], 0.0f);
}

extern "C" void solve(const float* input, float* output, int N) {
    const int needed = N / 4 / THREADS + 1;
    relu<<<needed < MOST_BLOCKS ? needed : MOST_BLOCKS, THREADS>>>(input, output, N);
}
