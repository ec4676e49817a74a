// Histogram: histogram[b] = how many elements of input equal b.
//
// Idea:   a block counts in shared memory, where atomic additions are near, and adds its bins to
//         those in device memory at the end.
// Launch: 256 threads a block, as many blocks as N needs but no more than 512.
// Tails:  threads walk over elements and over bins in steps, so neither number need fit the block.
//
// rung: 1
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    __shared__ int bins[1024];
    for (int b = threadIdx.x; b < num_bins; b += blockDim.x) bins[b] = 0;
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
