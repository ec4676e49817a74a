// Histogram: histogram[b] = how many elements of input equal b; histogram holds zeros; all arrays lie in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    // Each thread takes some elements and counts up their bins.
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    int blocks = (N + 255) / 256;
    count<<<blocks < 512 ? blocks : 512, 256>>>(input, histogram, N, num_bins);
}
