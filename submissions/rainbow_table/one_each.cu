// Rainbow table: FNV-1a of each number, R times.
//
// Idea:   one thread a number. Each round needs the one before, so the hash stays in a register and
//         memory is touched twice whatever R is.
// Launch: blocks of 256 threads, as many as it takes to cover N.
// Tails:  threads beyond N do nothing.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr unsigned int BASIS = 2166136261u, PRIME = 16777619u;

__device__ unsigned int fnv1a(unsigned int number) {
    unsigned int hash = BASIS;
    for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (number >> shift & 0xFF)) * PRIME;
    return hash;
}

__global__ void table(const int* input, unsigned int* output, int N, int R) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= N) return;
    unsigned int hash = input[i];
    for (int round = 0; round < R; ++round) hash = fnv1a(hash);
    output[i] = hash;
}

extern "C" void solve(const int* input, unsigned int* output, int N, int R) {
    table<<<(N + THREADS - 1) / THREADS, THREADS>>>(input, output, N, R);
}
