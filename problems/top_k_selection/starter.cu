// Top-k selection: the k largest of the N elements of input, the largest first.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void select(const float* input, float* output, int N, int k) {
    // Find the k largest elements and write them in decreasing order.
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    const int threads = 256;
    select<<<1, threads>>>(input, output, N, k);
}
