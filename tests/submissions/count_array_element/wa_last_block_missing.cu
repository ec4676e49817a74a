// expect: WA mismatch|unwritten
// N / 256 blocks, rounded down: nobody looks at what is left.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* output, int N, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int found = __syncthreads_count(i < N && input[i] == K);
    if (threadIdx.x == 0 && found > 0) atomicAdd(output, found);
}

extern "C" void solve(const int* input, int* output, int N, int K) {
    count<<<N / 256 > 0 ? N / 256 : 1, 256>>>(input, output, N, K);
}
