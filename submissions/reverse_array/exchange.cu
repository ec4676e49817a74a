// Reverse an array, in place.
//
// Idea:   one thread a pair: it alone reads both ends, and it alone writes them, so that the order
//         of the threads does not matter.
// Launch: blocks of 256 threads, as many as it takes to cover N / 2 pairs, and at least one.
// Tails:  threads beyond the last pair do nothing; an element in the middle has no partner.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void reverse(float* input, int N) {
    const int i = blockIdx.x * THREADS + threadIdx.x, j = N - 1 - i;
    if (i >= j) return;
    const float front = input[i], back = input[j];
    input[i] = back;
    input[j] = front;
}

extern "C" void solve(float* input, int N) {
    reverse<<<N / 2 / THREADS + 1, THREADS>>>(input, N);
}
