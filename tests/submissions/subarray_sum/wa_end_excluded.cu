// expect: WA mismatch|stale|unwritten
// Takes E for the index after the last.
#include <cuda_runtime.h>

__global__ void add(const int* input, int* output, int N, int S, int E) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= S && i < E) atomicAdd(output, (int)input[i]);
}

extern "C" void solve(const int* input, int* output, int N, int S, int E) {
    add<<<(N + 255) / 256, 256>>>(input, output, N, S, E);
}
