// Sorting: data in increasing order; all arrays lie in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void step(float* data, int N) {
    // Compare and exchange, until the whole vector is sorted.
}

extern "C" void solve(float* data, int N) {
    step<<<(N + 255) / 256, 256>>>(data, N);
}
