// expect: WA mismatch|unwritten
// Every thread that finds K stores 1, so that 1 stays.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* output, int N, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool found = i < N && input[i] == K;
    if (found) *output = 1;
}

extern "C" void solve(const int* input, int* output, int N, int K) {
    count<<<(N + 255) / 256, 256>>>(input, output, N, K);
}
