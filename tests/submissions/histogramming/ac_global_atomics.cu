// expect: AC accepted
// Every element counts up its bin in device memory.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        atomicAdd(&histogram[input[i]], 1);
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    int blocks = (N + 255) / 256;
    count<<<blocks < 512 ? blocks : 512, 256>>>(input, histogram, N, num_bins);
}
