// expect: WA mismatch|stale|unwritten
// Rounds the number of blocks down.
#include <cuda_runtime.h>

__global__ void add(const int* input, int* output, int N, int S, int E) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + S <= E) atomicAdd(output, (int)input[i]);
}

extern "C" void solve(const int* input, int* output, int N, int S, int E) {
    if (E - S + 1 >= 256) add<<<(E - S + 1) / 256, 256>>>(input + S, output, N, S, E);
}
