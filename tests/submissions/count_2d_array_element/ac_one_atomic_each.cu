// expect: AC accepted
// Every thread that finds K adds 1.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* output, int total, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total && input[i] == K) atomicAdd(output, 1);
}

extern "C" void solve(const int* input, int* output, int N, int M, int K) {
    int total = N * M;
    count<<<(total + 255) / 256, 256>>>(input, output, total, K);
}
