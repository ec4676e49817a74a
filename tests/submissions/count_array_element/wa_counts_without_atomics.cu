// expect: WA mismatch|unwritten
// Threads count up at the same time.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* output, int total, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int found = i < total && input[i] == K;
    if (found) *output = found;
}

extern "C" void solve(const int* input, int* output, int N, int K) {
    int total = N;
    count<<<(total + 255) / 256, 256>>>(input, output, total, K);
}
