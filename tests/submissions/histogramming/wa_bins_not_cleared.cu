// expect: WA mismatch|unwritten
// expect gpu: luck
// Shared memory begins with whatever it holds.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    __shared__ int bins[1024];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[input[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < num_bins; b += blockDim.x)
        if (bins[b] > 0) atomicAdd(&histogram[b], bins[b]);
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    int blocks = (N + 255) / 256;
    count<<<blocks < 512 ? blocks : 512, 256>>>(input, histogram, N, num_bins);
}
