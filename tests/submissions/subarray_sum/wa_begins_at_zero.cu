// expect: WA mismatch|stale|unwritten
// Takes the first E - S + 1 elements, wherever the part begins.
#include <cuda_runtime.h>

__global__ void add(const int* input, int* output, int N, int S, int E) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= E - S) atomicAdd(output, (int)input[i]);
}

extern "C" void solve(const int* input, int* output, int N, int S, int E) {
    add<<<(N + 255) / 256, 256>>>(input, output, N, S, E);
}
